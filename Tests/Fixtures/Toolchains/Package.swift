// swift-tools-version: 6.0
import PackageDescription

/// The same tests with Attach and without it (`ATTACH=0`), for each toolchain: `ci/toolchain-6.0`.
let isAttached = Context.environment["ATTACH"] != "0"

let package = Package(
  name: "Toolchains",
  dependencies: isAttached ? [.package(name: "Exhibit", path: "../../..")] : [],
  targets: [
    .systemLibrary(name: "FixtureSQLite", pkgConfig: "sqlite3"),
    .testTarget(name: "LinkedTests", dependencies: dependencies),
    .testTarget(name: "LinkedXCTests", dependencies: dependencies),
    .testTarget(
      name: "StoreTests", dependencies: dependencies, swiftSettings: isAttached ? [.define("ATTACH")] : []),
  ],
  swiftLanguageModes: [.v6]
)

var dependencies: [Target.Dependency] {
  isAttached ? ["FixtureSQLite", .product(name: "Attach", package: "Exhibit")] : ["FixtureSQLite"]
}

// swift-tools-version: 6.3
import PackageDescription

/// The same tests with Attach and without it (`ATTACH=0`): what becomes of them must be equal.
let isAttached = Context.environment["ATTACH"] != "0"

let package = Package(
  name: "Verdicts",
  dependencies: [.package(name: "Exhibit", path: "../../..", traits: ["GRDB"])],
  targets: [
    .systemLibrary(name: "FixtureSQLite"),
    .testTarget(name: "VerdictXCTests", dependencies: dependencies),
    .testTarget(
      name: "VerdictTraitTests", dependencies: dependencies,
      swiftSettings: settings),
    .testTarget(name: "PlainTests", dependencies: dependencies, swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)

var dependencies: [Target.Dependency] {
  isAttached ? ["FixtureSQLite", .product(name: "Attach", package: "Exhibit")] : ["FixtureSQLite"]
}

var settings: [SwiftSetting] { isAttached ? [.define("ATTACH")] : [] }

// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "Harbour",
  dependencies: [.package(name: "exhibit", path: Context.environment["EXHIBIT"] ?? "../../..")],
  targets: [
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .target(name: "Harbour", dependencies: ["CSQLite"]),
    .testTarget(
      name: "HarbourTests", dependencies: ["Harbour", .product(name: "Attach", package: "exhibit")]),
  ],
  swiftLanguageModes: [.v6]
)

// swift-tools-version: 6.0
import PackageDescription

/// What of Examples builds with Swift 6.0: GRDB needs 6.1.
let package = Package(
  name: "Examples",
  dependencies: [.package(name: "Exhibit", path: "..")],
  targets: [
    .systemLibrary(
      name: "InventorySQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .target(name: "Inventory", dependencies: ["InventorySQLite"]),
    .testTarget(
      name: "InventoryTests", dependencies: ["Inventory", .product(name: "Attach", package: "Exhibit")]),
  ],
  swiftLanguageModes: [.v6]
)

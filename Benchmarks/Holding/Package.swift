// swift-tools-version: 6.3
import PackageDescription

/// The cost of holding a database that is closed while its test may still fail, measured inside Attach.
let package = Package(
  name: "Holding",
  dependencies: [.package(name: "Exhibit", path: "../..")],
  targets: [
    .systemLibrary(name: "SystemSQLite"),
    .testTarget(
      name: "HoldingTests", dependencies: ["SystemSQLite", .product(name: "Attach", package: "Exhibit")]),
  ],
  swiftLanguageModes: [.v6]
)

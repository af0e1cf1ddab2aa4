// swift-tools-version: 6.3
import PackageDescription

/// The cost of a failing test, early and late in a run with many of them.
let package = Package(
  name: "Failures",
  dependencies: [.package(name: "Exhibit", path: "../..")],
  targets: [
    .systemLibrary(name: "SystemSQLite"),
    .testTarget(
      name: "FailuresTests", dependencies: ["SystemSQLite", .product(name: "Attach", package: "Exhibit")]),
  ],
  swiftLanguageModes: [.v6]
)

// swift-tools-version: 6.3
import PackageDescription

/// The cost of recording the statements of tests and the rows that they change, measured inside the process.
let package = Package(
  name: "Tracing",
  dependencies: [
    .package(name: "Exhibit", path: "../.."),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    .testTarget(
      name: "TracingTests",
      dependencies: [
        .product(name: "Attach", package: "Exhibit"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ])
  ],
  swiftLanguageModes: [.v6]
)

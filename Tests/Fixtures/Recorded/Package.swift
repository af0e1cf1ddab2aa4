// swift-tools-version: 6.3
import PackageDescription

/// Suites whose tests pass and fail on purpose: what Exhibit records of them is what the pipeline tests assert.
let package = Package(
  name: "Recorded",
  dependencies: [
    .package(name: "Exhibit", path: "../../..", traits: ["GRDB"]),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    .testTarget(name: "QueueTests", dependencies: linked),
    .testTarget(name: "ConnectionTests", dependencies: linked),
    .testTarget(name: "CallbackTests", dependencies: linked),
    .testTarget(name: "StoryTests", dependencies: linked),
    .testTarget(name: "TraitTests", dependencies: linked),
    .testTarget(name: "ClosedTests", dependencies: linked),
    .testTarget(name: "ClosingTests", dependencies: linked),
    .testTarget(name: "EvidenceTests", dependencies: linked),
    .testTarget(name: "ConcurrencyTests", dependencies: linked),
    .testTarget(name: "ConfigTests", dependencies: linked),
    .testTarget(name: "SharedTests", dependencies: linked),
    .testTarget(name: "CrashTests", dependencies: linked),
    .testTarget(name: "AgainTests", dependencies: linked),
    .testTarget(name: "ExplainTests", dependencies: linked),
    .testTarget(
      name: "StoreTests", dependencies: linked + [.product(name: "AttachGRDB", package: "Exhibit")]),
    .testTarget(name: "VersionTests", dependencies: linked),
    .testTarget(name: "UnlinkedTests", dependencies: [.product(name: "GRDB", package: "GRDB.swift")]),
  ],
  swiftLanguageModes: [.v6]
)

var linked: [Target.Dependency] {
  [
    .product(name: "Attach", package: "Exhibit"),
    .product(name: "GRDB", package: "GRDB.swift"),
    .product(name: "GRDBSQLite", package: "GRDB.swift"),
  ]
}

// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "Exhibit",
  products: [
    .library(name: "Attach", targets: ["Attach"]),
    .library(name: "StoreMigration", targets: ["StoreMigration"]),
    .library(name: "AttachGRDB", targets: ["AttachGRDB"]),
    .executable(name: "reporter", targets: ["Reporter"]),
  ],
  traits: [
    .trait(
      name: "GRDB", description: "GRDB's queues and pools as evidence and as stores of tests: AttachGRDB.")
  ],
  dependencies: [
    // Fetched only where the trait GRDB is on.
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
  ],
  targets: [
    .systemLibrary(
      name: "ExhibitCSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .target(name: "ExhibitCSystem"),
    .target(name: "ExhibitSystem", dependencies: ["ExhibitCSystem"]),
    .target(name: "ExhibitSQLite", dependencies: ["ExhibitCSQLite", "ExhibitCSystem", "ExhibitSystem"]),
    .target(name: "ExhibitStart", dependencies: ["ExhibitCSQLite", "ExhibitCSystem"]),
    .target(
      name: "Collector", dependencies: ["ExhibitCSQLite", "ExhibitCSystem", "ExhibitSQLite", "ExhibitSystem"]),
    .target(
      name: "Attach",
      dependencies: [
        "Collector", "ExhibitCSQLite", "ExhibitCSystem", "ExhibitSQLite", "ExhibitSystem", "ExhibitStart",
      ]),
    .target(
      name: "StoreMigration",
      dependencies: ["ExhibitCSQLite", "ExhibitCSystem", "ExhibitSQLite", "ExhibitSystem"]),
    .executableTarget(
      name: "MigrationProcess", dependencies: ["StoreMigration", "ExhibitCSQLite"],
      path: "Tests/Fixtures/MigrationProcess"),
    .testTarget(
      name: "StoreMigrationTests",
      dependencies: ["MigrationProcess", "StoreMigration", "ExhibitCSQLite", "TestSupport"]),
    .target(
      name: "AttachGRDB",
      dependencies: [
        "Attach", "Collector", "ExhibitCSQLite", "ExhibitSQLite", "ExhibitSystem", "ExhibitStart",
        .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["GRDB"])),
      ]),
    .target(name: "ExhibitTemplates", path: "templates"),
    .executableTarget(
      name: "Reporter",
      dependencies: [
        "Collector", "ExhibitCSQLite", "ExhibitSQLite", "ExhibitSystem", "ExhibitTemplates",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .executableTarget(
      name: "CaptureBenchmark",
      dependencies: ["Collector", "ExhibitCSQLite", "ExhibitSQLite", "ExhibitSystem"],
      path: "Benchmarks/Capture"),
    .executableTarget(
      name: "CaptureProcess",
      dependencies: ["Collector", "ExhibitCSQLite", "ExhibitSQLite", "ExhibitSystem"],
      path: "Tests/Fixtures/CaptureProcess"),
    .target(
      name: "TestSupport", dependencies: ["Collector", "ExhibitCSQLite", "ExhibitSystem"],
      path: "Tests/Support"),
    .testTarget(
      name: "CollectorTests",
      dependencies: [
        "CaptureProcess", "Collector", "ExhibitCSQLite", "ExhibitSQLite", "ExhibitSystem", "TestSupport",
      ]),
    .testTarget(name: "HouseTests", dependencies: ["TestSupport"]),
    .testTarget(
      name: "AttachTests",
      dependencies: [
        "Attach", "Collector", "ExhibitCSQLite", "ExhibitSQLite", "ExhibitSystem", "TestSupport",
      ]
    ),
    .testTarget(
      name: "ReporterTests", dependencies: ["Reporter", "Collector", "ExhibitSystem", "TestSupport"]),
    .testTarget(
      name: "PipelineTests", dependencies: ["Collector", "ExhibitSystem", "Reporter", "TestSupport"]),
  ],
  swiftLanguageModes: [.v6],
  cLanguageStandard: .c2x
)

for target in package.targets
where [.executable, .test, .regular].contains(target.type) {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("MemberImportVisibility"),
      .enableUpcomingFeature("InternalImportsByDefault"),
    ]
}

// For .ci/run: warnings in our own sources are errors, those of dependencies are not ours.
if Context.environment["EXHIBIT_WARNINGS_AS_ERRORS"] == "1" {
  for target in package.targets where [.executable, .test, .regular].contains(target.type) {
    target.swiftSettings = (target.swiftSettings ?? []) + [.treatAllWarnings(as: .error)]
    target.cSettings = (target.cSettings ?? []) + [.treatAllWarnings(as: .error)]
  }
}

// swift-tools-version: 6.1
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
    .target(
      name: "ReportModel", dependencies: ["Collector", "ExhibitSQLite", "ExhibitSystem"],
      path: "Sources/Reporter/ReportModel"),
    .target(
      name: "ReportReading", dependencies: ["ReportModel", "Collector", "ExhibitSQLite", "ExhibitSystem"],
      path: "Sources/Reporter/ReportReading"),
    .target(
      name: "ReportInspection",
      dependencies: ["ReportModel", "Collector", "ExhibitCSQLite", "ExhibitSQLite", "ExhibitSystem"],
      path: "Sources/Reporter/ReportInspection"),
    .target(
      name: "ReportPlaces", dependencies: ["ReportModel", "Collector", "ExhibitSystem"],
      path: "Sources/Reporter/ReportPlaces"),
    .target(
      name: "ReportStory",
      dependencies: [
        "ReportInspection", "ReportModel", "ReportPlaces", "Collector", "ExhibitSQLite", "ExhibitSystem",
      ],
      path: "Sources/Reporter/ReportStory"),
    .target(
      name: "ReportCauses",
      dependencies: [
        "ReportInspection", "ReportModel", "ReportPlaces", "ReportStory", "Collector", "ExhibitSQLite",
        "ExhibitSystem",
      ],
      path: "Sources/Reporter/ReportCauses"),
    .target(
      name: "ReportPasses",
      dependencies: [
        "ReportCauses", "ReportModel", "ReportPlaces", "ReportStory", "Collector", "ExhibitSQLite",
        "ExhibitSystem",
      ],
      path: "Sources/Reporter/ReportPasses"),
    .target(
      name: "ReportExperiments",
      dependencies: [
        "ReportCauses", "ReportInspection", "ReportModel", "ReportPlaces", "ReportStory", "Collector",
        "ExhibitCSystem", "ExhibitSystem",
      ],
      path: "Sources/Reporter/ReportExperiments"),
    .target(
      name: "ReportHistory",
      dependencies: [
        "ReportModel", "Collector", "ExhibitCSQLite", "ExhibitCSystem", "ExhibitSQLite", "ExhibitSystem",
      ],
      path: "Sources/Reporter/ReportHistory"),
    .target(
      name: "ReportRendering",
      dependencies: [
        "ReportHistory", "ReportInspection", "ReportModel", "ReportPlaces", "ReportReading", "ReportStory",
        "Collector", "ExhibitCSQLite", "ExhibitSQLite", "ExhibitSystem", "ExhibitTemplates",
      ],
      path: "Sources/Reporter/ReportRendering"),
    .target(
      name: "ReportPipeline",
      dependencies: [
        "ReportCauses", "ReportExperiments", "ReportHistory", "ReportInspection", "ReportModel",
        "ReportPasses", "ReportPlaces", "ReportReading", "ReportRendering", "ReportStory", "Collector",
        "ExhibitSQLite", "ExhibitSystem",
      ],
      path: "Sources/Reporter/ReportPipeline"),
    .executableTarget(
      name: "Reporter",
      dependencies: [
        "ReportExperiments", "ReportHistory", "ReportInspection", "ReportModel", "ReportPipeline",
        "ReportReading", "ReportRendering", "ReportStory", "Collector", "ExhibitSQLite", "ExhibitSystem",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Sources/Reporter/Commands"),
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
    .target(
      name: "ReportTestSupport",
      dependencies: [
        "Collector", "ExhibitCSQLite", "ExhibitSQLite", "ExhibitSystem", "TestSupport", "ReportModel",
        "ReportReading", "ReportHistory", "ReportInspection", "ReportPlaces", "ReportStory",
        "ReportRendering",
      ],
      path: "Tests/ReportTestSupport"),
    .testTarget(
      name: "ReportModelTests",
      dependencies: [
        "Collector", "ExhibitCSQLite", "ExhibitSQLite", "ExhibitSystem", "TestSupport", "ReportTestSupport",
        "ReportModel",
      ]),
    .testTarget(
      name: "ReportReadingTests",
      dependencies: [
        "Collector", "ExhibitCSQLite", "ExhibitSQLite", "ExhibitSystem", "TestSupport", "ReportTestSupport",
        "ReportModel", "ReportReading",
      ]),
    .testTarget(
      name: "ReportInspectionTests",
      dependencies: [
        "Collector", "ExhibitCSQLite", "ExhibitSQLite", "ExhibitSystem", "TestSupport", "ReportTestSupport",
        "ReportModel", "ReportReading", "ReportInspection",
      ]),
    .testTarget(
      name: "ReportPlacesTests",
      dependencies: ["Collector", "ExhibitSystem", "TestSupport", "ReportModel", "ReportPlaces"]),
    .testTarget(
      name: "ReportStoryTests",
      dependencies: [
        "Collector", "ExhibitCSQLite", "ExhibitSQLite", "ExhibitSystem", "TestSupport", "ReportTestSupport",
        "ReportModel", "ReportPlaces", "ReportInspection", "ReportStory",
      ]),
    .testTarget(
      name: "ReportCausesTests",
      dependencies: [
        "Collector", "ExhibitCSQLite", "ExhibitSQLite", "TestSupport", "ReportTestSupport", "ReportModel",
        "ReportPlaces", "ReportInspection", "ReportStory", "ReportCauses",
      ]),
    .testTarget(
      name: "ReportPassesTests",
      dependencies: [
        "Attach", "Collector", "ExhibitCSQLite", "ExhibitSQLite", "ExhibitStart", "ExhibitSystem",
        "TestSupport",
        "ReportTestSupport", "ReportInspection", "ReportModel", "ReportPlaces", "ReportStory", "ReportCauses",
        "ReportPasses",
      ]),
    .testTarget(
      name: "ReportExperimentsTests",
      dependencies: [
        "Collector", "ExhibitCSQLite", "ExhibitSQLite", "TestSupport", "ReportTestSupport", "ReportCauses",
        "ReportExperiments", "ReportInspection", "ReportModel", "ReportPlaces", "ReportStory",
      ]),
    .testTarget(
      name: "ReportHistoryTests",
      dependencies: [
        "Collector", "ExhibitCSQLite", "ExhibitSQLite", "ExhibitSystem", "TestSupport", "ReportModel",
        "ReportHistory",
      ]),
    .testTarget(
      name: "ReportRenderingTests",
      dependencies: [
        "Collector", "ExhibitCSQLite", "ExhibitSQLite", "ExhibitSystem", "TestSupport", "ReportTestSupport",
        "ReportHistory", "ReportModel", "ReportReading", "ReportInspection", "ReportPlaces", "ReportStory",
        "ReportRendering",
      ]),
    .testTarget(
      name: "ReportPipelineTests",
      dependencies: [
        "Collector", "ExhibitCSQLite", "ExhibitSQLite", "ExhibitSystem", "TestSupport", "ReportTestSupport",
        "ReportModel", "ReportReading", "ReportInspection", "ReportStory", "ReportRendering",
        "ReportPipeline",
      ]),
    .testTarget(
      name: "ReporterTests",
      dependencies: [
        "Collector", "ExhibitCSQLite", "ExhibitSQLite", "ExhibitSystem", "TestSupport", "ReportTestSupport",
        "ReportModel", "ReportReading", "ReportInspection", "ReportStory", "ReportRendering",
        "ReportPipeline", "Reporter",
      ]),
    .testTarget(
      name: "PipelineTests",
      dependencies: [
        "Collector", "ExhibitSystem", "Reporter", "ReportExperiments", "ReportModel", "ReportReading",
        "ReportInspection", "ReportStory",
        "ReportRendering", "TestSupport",
      ]),
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

// For .ci/run: warnings in our own sources are errors, those of dependencies are not ours. Flags, as a setting for it came
// with 6.2; a package that depends on this one never has them.
if Context.environment["EXHIBIT_WARNINGS_AS_ERRORS"] == "1" {
  for target in package.targets where [.executable, .test, .regular].contains(target.type) {
    target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-warnings-as-errors"])]
    target.cSettings = (target.cSettings ?? []) + [.unsafeFlags(["-Werror"])]
  }
}

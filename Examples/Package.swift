// swift-tools-version: 6.3
import PackageDescription

/// Small apps with their tests, some of which fail on purpose; README.md says what each shows.
let package = Package(
  name: "Examples",
  dependencies: [
    .package(name: "Exhibit", path: "..", traits: ["GRDB"]),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/pointfreeco/swift-custom-dump", from: "1.3.0"),
    .package(url: "https://github.com/pointfreeco/xctest-dynamic-overlay", from: "1.4.0"),
  ],
  targets: [
    .target(name: "Bookshop", dependencies: [.product(name: "GRDB", package: "GRDB.swift")]),
    .testTarget(
      name: "BookshopTests",
      dependencies: ["Bookshop", .product(name: "Attach", package: "Exhibit")]),

    .target(name: "Scores", dependencies: [.product(name: "GRDB", package: "GRDB.swift")]),
    .testTarget(
      name: "ScoresTests",
      dependencies: ["Scores", .product(name: "Attach", package: "Exhibit")]),

    .systemLibrary(
      name: "InventorySQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .target(name: "Inventory", dependencies: ["InventorySQLite"]),
    // Attach in one test target records the tests of them all, also of this one. With --build-system swiftbuild, where each
    // has a runner of its own, it is needed here.
    .testTarget(
      name: "InventoryTests", dependencies: ["Inventory", .product(name: "Attach", package: "Exhibit")]),

    .target(name: "Albums", dependencies: [.product(name: "GRDB", package: "GRDB.swift")]),
    .testTarget(
      name: "AlbumsTests",
      dependencies: ["Albums", .product(name: "Attach", package: "Exhibit")]),

    .target(name: "Station", dependencies: [.product(name: "GRDB", package: "GRDB.swift")]),
    .testTarget(name: "StationTests", dependencies: ["Station"] + attach),

    .target(name: "Colors", dependencies: [.product(name: "GRDB", package: "GRDB.swift")]),
    .executableTarget(name: "ColorsBenchmark", dependencies: ["Colors"]),
    .testTarget(name: "ColorsTests", dependencies: ["Colors"] + attach),

    .target(name: "Scorekeeper", dependencies: [.product(name: "GRDB", package: "GRDB.swift")]),
    .testTarget(
      name: "ScorekeeperTests",
      dependencies: [
        "Scorekeeper", .product(name: "CustomDump", package: "swift-custom-dump"),
        // Without it what CustomDump finds is printed and fails no test.
        .product(name: "IssueReportingTestSupport", package: "xctest-dynamic-overlay"),
      ] + attach),

    .target(
      name: "Shopster",
      dependencies: [
        .product(name: "GRDB", package: "GRDB.swift"), .product(name: "StoreMigration", package: "Exhibit"),
      ]),
    .testTarget(
      name: "ShopsterTests",
      dependencies: ["Shopster", .product(name: "Attach", package: "Exhibit")]),

    .target(name: "Folio", dependencies: [.product(name: "GRDB", package: "GRDB.swift")]),
    .testTarget(
      name: "FolioTests",
      dependencies: ["Folio", .product(name: "Attach", package: "Exhibit")],
      exclude: ["Fixtures", "make-fixtures"]),
  ],
  swiftLanguageModes: [.v6]
)

/// What tests with stores of GRDB link.
var attach: [Target.Dependency] {
  [.product(name: "Attach", package: "Exhibit"), .product(name: "AttachGRDB", package: "Exhibit")]
}

// swift-tools-version: 6.0
import PackageDescription

let package = Package(
  name: "Exhibit",
  products: [
    .library(name: "Attach", targets: ["Attach"]),
    .library(name: "StoreMigration", targets: ["StoreMigration"]),
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
  ],
  swiftLanguageModes: [.v6],
  cLanguageStandard: .c2x
)

for target in package.targets where target.type == .regular {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
  ]
}

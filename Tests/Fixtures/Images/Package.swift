// swift-tools-version: 6.3
import PackageDescription

/// An app that does not use the system's SQLite: `SQLITE` is a static library, in which the functions have the prefix
/// `second_` or, with `OWN=1`, their own names.
let environment = Context.environment
let library = environment["SQLITE"] ?? "libsqlite3.a"
let isOwn = environment["OWN"] == "1"

let package = Package(
  name: "Images",
  dependencies: [.package(name: "Exhibit", path: "../../..", traits: ["GRDB"])],
  targets: [
    .target(name: "AppSQLite", cSettings: isOwn ? [] : [.define("APP", to: "second_")]),
    .testTarget(
      name: isOwn ? "OwnTests" : "SecondTests",
      dependencies: ["AppSQLite", .product(name: "Attach", package: "Exhibit")],
      linkerSettings: [
        .unsafeFlags(["-Xlinker", "--whole-archive", "-Xlinker", library, "-Xlinker", "--no-whole-archive"]),
        .linkedLibrary("m"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)

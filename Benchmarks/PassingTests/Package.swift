// swift-tools-version: 6.3
import Foundation
import PackageDescription

/// Tests that pass, built with Attach, or without it by `ATTACH=0`; `ci/bench` compares the two.
let isAttached = ProcessInfo.processInfo.environment["ATTACH"] != "0"

let package = Package(
  name: "PassingTests",
  dependencies: [
    .package(name: "Exhibit", path: "../.."),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    .target(name: "Meter"),
    .testTarget(name: "PassingXCTests", dependencies: dependencies),
    .testTarget(name: "PassingTraitTests", dependencies: dependencies, swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)

var dependencies: [Target.Dependency] {
  let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
  let attach: [Target.Dependency] = isAttached ? [.product(name: "Attach", package: "Exhibit")] : []
  return [grdb, "Meter"] + attach
}

var settings: [SwiftSetting] { isAttached ? [.define("ATTACH")] : [] }

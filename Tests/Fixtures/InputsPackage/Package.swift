// swift-tools-version: 6.3
import PackageDescription

// The tests whose outputs the reporter's readers are tested on; `Tests/Fixtures/record-inputs` runs them.
let package = Package(
  name: "InputsPackage",
  targets: [
    .testTarget(name: "XCTestCases"),
    .testTarget(name: "SwiftTestingCases"),
  ],
  swiftLanguageModes: [.v6]
)

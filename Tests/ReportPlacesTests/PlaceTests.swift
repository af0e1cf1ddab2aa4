import Foundation
import ReportModel
import Testing

@testable import ReportPlaces

/// Which places are the package's own, and which of several is shown.
@Suite struct PlaceTests {
  private func place(_ file: String?, line: Int? = 3, _ function: String = "f()") -> Place {
    Place(symbol: "$s", name: PlaceName(module: "M", function: function), file: file, line: line)
  }

  @Test(arguments: [
    "Sources/App/Depot.swift", "main.swift", "Tests/AppTests/DepotTests.swift",
    "Packages/Core/Sources/A.swift",
    "Sources/Shop/checkouts/Cart.swift", ".builder/A.swift",
  ])
  func whatLiesInThePackageIsItsOwn(file: String) {
    #expect(place(file).isOwn)
  }

  @Test(arguments: [
    ".build/checkouts/GRDB.swift/GRDB/Core/Statement.swift", ".build-linux/debug/A.swift", ".build_x/A.swift",
    "out/checkouts/GRDB.swift/GRDB/Core/Statement.swift",
    "out/debug/DemoDiscoveredTests.derived/runner.swift",
    "out/plugins/DerivedSources/A.swift", "Tests/Fixtures/.build/checkouts/A/Sources/A.swift", nil,
  ])
  func whatWasFetchedOrGeneratedIsNot(file: String?) {
    #expect(!place(file).isOwn)
  }

  @Test func theFirstWithALineIsShown() {
    let (inlined, own) = (place(nil, line: nil, "map(_:)"), place("A.swift", line: 3))
    let lineless = place("A.swift", line: nil)
    #expect(Place.shown(of: [inlined, lineless, own]) == own)
    #expect(Place.shown(of: [inlined, lineless]) == lineless)
    #expect(Place.shown(of: [inlined, place(nil, line: nil)]) == place(nil, line: nil))
    #expect(Place.shown(of: []) == nil)
  }

  // MARK: - Files

  @Test func pathsAreToldBelowTheRoot() throws {
    let folder = try TemporaryFolder()
    try folder.write("", to: "package/Sources/A.swift")
    try folder.write("", to: "shared/B.swift")
    try FileManager.default.createSymbolicLink(
      atPath: folder("package/Sources/Shared"), withDestinationPath: "../../shared")
    try FileManager.default.createSymbolicLink(atPath: folder("link"), withDestinationPath: "package")
    for root in ["package", "link"] {
      var files = SourceFiles(below: SourceRoot(path: folder(root)))
      #expect(files.path(of: folder("package/Sources/A.swift")) == "Sources/A.swift")
      #expect(files.path(of: "Sources/A.swift") == "Sources/A.swift")
      #expect(files.path(of: "./Sources/../Sources/A.swift") == "Sources/A.swift")
      #expect(files.path(of: folder("package/Sources/Shared/B.swift")) == "Sources/Shared/B.swift")
      #expect(files.path(of: folder("shared/B.swift")) == nil)
      #expect(files.path(of: folder("package/Sources/none.swift")) == nil)
      #expect(files.path(of: "../shared/B.swift") == nil)
      #expect(files.path(of: "") == nil)
    }
  }

  @Test func aMacroIsLookedForInTheFolderOfItsModule() throws {
    let folder = try TemporaryFolder()
    try folder.write("import Testing\n  #expect(true)\n", to: "Tests/DemoTests/Deep/A.swift")
    let files = SourceFiles(below: SourceRoot(path: folder.path))
    func path(module: String = "DemoTests", _ file: String = "A.swift", _ line: Int = 2, _ column: Int = 3)
      throws -> String?
    {
      let tree = DemangledNode(
        kind: "Global",
        children: [
          DemangledNode(
            kind: "FreestandingMacroExpansion",
            children: [
              DemangledNode(
                kind: "MacroExpansionLoc",
                children: [
                  DemangledNode(kind: "Identifier", text: module),
                  DemangledNode(kind: "Identifier", text: file),
                  DemangledNode(kind: "Index", index: line), DemangledNode(kind: "Index", index: column),
                ]), DemangledNode(kind: "Identifier", text: "expect"),
            ])
        ])
      return files.path(of: try #require(MacroExpansion(tree)))
    }
    #expect(try path() == "Tests/DemoTests/Deep/A.swift")
    #expect(try path("B.swift") == nil)
    #expect(try path("A.swift", 1) == nil, "no macro stands there")
    #expect(try path("A.swift", 0) == nil)
    #expect(try path("A.swift", 9) == nil)
    #expect(try path("A.swift", 2, 0) == nil)
    #expect(try path(module: "../Tests/DemoTests") == nil)
    #expect(try path("Deep/A.swift") == nil)
    try folder.write("", to: "Tests/DemoTests/Other/A.swift")
    #expect(try path() == nil, "two files of that name")
  }
}

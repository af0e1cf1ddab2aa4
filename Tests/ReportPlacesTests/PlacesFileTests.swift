import Collector
import Foundation
import Glibc
import ReportModel
import Testing

@testable import ReportPlaces

/// places.json: what is written is read again, and what is no such file is an error.
@Suite struct PlacesFileTests {
  private let folder: TemporaryFolder
  private let run: RunFolder

  init() throws {
    folder = try TemporaryFolder()
    run = RunFolder(path: folder.path)
  }

  private static let code = CodeFile(
    path: "/p/.build/DemoTests.xctest", size: 60_000_000, changedAt: 1_700_000_000_123_456_789,
    buildID: "ab01")

  /// Places with a value for every key.
  private static let places = CodePlaces([
    CodePlaces.File(
      code: CodeFile(path: "/usr/lib/libc.so.6", size: 1, changedAt: 2),
      problem: "libc.so.6 was built again since the run; no names for its addresses."),
    CodePlaces.File(
      code: code,
      places: [
        0xFFFF_FFFF_FFFF_FFF0: [], 9: [],
        0x3425e4: [
          Place(symbol: "memcpy", name: PlaceName(module: nil, function: "memcpy")),
          Place(
            symbol: "$s3App",
            name: PlaceName(
              module: "App", function: "inner(_:)", isClosure: true, enclosing: "Depot.outer()", overload: 2),
            file: "Sources/App/Depot.swift", line: 41),
        ],
      ]),
  ])

  @Test func whatIsWrittenIsRead() throws {
    try PlacesFile.write(Self.places, to: run)
    #expect(try PlacesFile.read(of: run) == Self.places)
    // In the place of an earlier one, with nothing left beside it.
    try PlacesFile.write(CodePlaces(), to: run)
    #expect(try PlacesFile.read(of: run) == CodePlaces())
    #expect(try folder.names == ["places.json"])
  }

  @Test func theSamePlacesAreTheSameBytes() throws {
    let text = String(decoding: PlacesFile.bytes(of: Self.places), as: UTF8.self)
    #expect(
      text == """
        {"format":"\(ArtifactsFormat.current)","files":[
        {"path":"/p/.build/DemoTests.xctest","size":60000000,"changedAt":1700000000123456789,"buildID":"ab01","frames":{
        "9":[],
        "3425e4":[{"symbol":"memcpy","function":"memcpy"},{"symbol":"$s3App","module":"App","function":"inner(_:)",\
        "closure":true,"enclosing":"Depot.outer()","overload":2,"file":"Sources/App/Depot.swift","line":41}],
        "fffffffffffffff0":[]}},
        {"path":"/usr/lib/libc.so.6","size":1,"changedAt":2,\
        "problem":"libc.so.6 was built again since the run; no names for its addresses.","frames":{}}
        ]}

        """)
  }

  @Test func everyKeyIsDescribed() throws {
    let document = try String(contentsOf: ThisPackage.file("docs/artifacts-format.md"), encoding: .utf8)
    let section = try #require(document.components(separatedBy: "\n## places.json\n").dropFirst().first)
      .components(separatedBy: "\n## ")[0]
    let text = String(decoding: PlacesFile.bytes(of: Self.places), as: UTF8.self)
    let keys = Set(text.matches(of: /"([A-Za-z]+)":/).map { String($0.1) })
    #expect(keys.count == 16)
    for key in keys { #expect(section.contains("`\(key)`"), "\(key)") }
  }

  @Test func emptyPlacesAreAFile() throws {
    #expect(try PlacesFile.read(PlacesFile.bytes(of: CodePlaces())) == CodePlaces())
  }

  // MARK: - What is no such file

  private func read(_ text: String) throws(PlacesFile.ReadingError) -> CodePlaces {
    try PlacesFile.read(Array(text.utf8))
  }

  @Test(arguments: [
    "", "[]", "{", "{}", #"{"format":"1.4"}"#, #"{"format":1.4,"files":[]}"#, #"{"files":[]}"#,
    #"{"format":"1.4","files":{}}"#, #"{"format":"1.4","files":[1]}"#,
    #"{"format":"1.4","files":[{"path":"/a","size":1,"changedAt":1}]}"#,
    #"{"format":"1.4","files":[{"path":"/a","size":1,"changedAt":1,"frames":[]}]}"#,
    #"{"format":"1.4","files":[{"path":"/a","size":1,"changedAt":1,"frames":{"zz":[]}}]}"#,
    #"{"format":"1.4","files":[{"path":"/a","size":1,"changedAt":1,"frames":{"1":{}}}]}"#,
    #"{"format":"1.4","files":[{"path":"/a","size":1,"changedAt":1,"frames":{"1":[{"symbol":"a"}]}}]}"#,
    #"{"format":"1.4","files":[{"path":"/a","size":"1","changedAt":1,"frames":{}}]}"#,
  ])
  func damagedFilesAreAnError(text: String) {
    #expect(throws: PlacesFile.ReadingError.damaged) { try read(text) }
  }

  @Test(arguments: [
    ("1.3", FormatRefusal.Kind.older), ("0.9", .older), ("2.0", .newer), ("x", .none), ("", .none),
  ])
  func anotherFormatIsAnError(format: String, kind: FormatRefusal.Kind) throws {
    let error = PlacesFile.ReadingError.format(FormatRefusal(kind, format))
    #expect(throws: error) { try read(#"{"format":"\#(format)","files":[]}"#) }
    #expect("\(error)".hasPrefix("places.json cannot be used; where in the code "))
  }

  @Test func aLaterMinorFormatIsReadOrSaysSo() throws {
    #expect(try read(#"{"format":"1.99","new":1,"files":[]}"#) == CodePlaces())
    #expect(throws: PlacesFile.ReadingError.format(FormatRefusal(.later, "1.99"))) {
      try read(#"{"format":"1.99","files":3}"#)
    }
  }

  @Test func tooMuchIsAnError() {
    let file = #"{"path":"/a","size":1,"changedAt":1,"frames":{}},"#
    #expect(throws: PlacesFile.ReadingError.tooLarge) {
      try read(#"{"format":"1.4","files":["# + String(repeating: file, count: 10_001).dropLast() + "]}")
    }
    #expect(throws: PlacesFile.ReadingError.tooLarge) {
      try read(
        #"{"format":"1.4","files":[{"path":"/a","size":1,"changedAt":1,"frames":{"1":["#
          + String(repeating: #"{"symbol":"a","function":"a"},"#, count: 1001).dropLast() + "]}}]}")
    }
    let huge = folder("places.json")
    #expect(close(open(huge, O_CREAT | O_WRONLY, 0o600)) == 0 && truncate(huge, 1 << 32) == 0)
    #expect(throws: PlacesFile.ReadingError.tooLarge) { try PlacesFile.read(of: run) }
  }

  @Test func whatLiesElsewhereIsNotFollowed() throws {
    #expect(throws: PlacesFile.ReadingError.unopened(.missing)) { try PlacesFile.read(of: run) }
    try folder.write(PlacesFile.bytes(of: Self.places), to: "other.json")
    try FileManager.default.createSymbolicLink(
      atPath: folder("places.json"), withDestinationPath: "other.json")
    #expect(throws: PlacesFile.ReadingError.unopened(.outside)) { try PlacesFile.read(of: run) }
    #expect(throws: PlacesFile.ReadingError.unopened(.missing)) {
      try PlacesFile.read(of: RunFolder(path: folder("none")))
    }
  }

  @Test(arguments: [
    "/etc/passwd", "../a.swift", "a/../../b.swift", "a//b.swift", "", "./a.swift", "a\\u0000b",
  ])
  func noPathLeadsOutOfThePackage(path: String) throws {
    let places = try read(
      #"{"format":"1.4","files":[{"path":"/a","size":1,"changedAt":1,"frames":{"1":[{"symbol":"a","function":"a","#
        + #""file":"\#(path)","line":3}]}}]}"#)
    let place = try #require(places.files.first?.places[1]?.first)
    #expect(place.file == nil)
    #expect(place.line == nil)
  }

  @Test(arguments: ["0", "-1", "4294967296", "1.5", "\"3\""]) func oddLinesAreNone(line: String) throws {
    let places = try read(
      #"{"format":"1.4","files":[{"path":"/a","size":1,"changedAt":1,"frames":{"1":[{"symbol":"a","function":"a","#
        + #""file":"A.swift","line":\#(line)}]}}]}"#)
    let place = try #require(places.files.first?.places[1]?.first)
    #expect(place.file == "A.swift")
    #expect(place.line == nil)
  }

  @Test func noMutationCrashes() {
    let whole = PlacesFile.bytes(of: Self.places)
    var random = SystemRandomNumberGenerator()
    for _ in 0..<2000 {
      var mutated = whole
      for _ in 0..<3 { mutated[Int.random(in: 0..<whole.count, using: &random)] = .random(in: 0...255) }
      // An error is as good as places; only a crash is not.
      _ = try? PlacesFile.read(mutated)
    }
  }
}

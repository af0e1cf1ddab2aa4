import Foundation
import Testing

/// What Xcode attached to tests, from the export of its results to the pages: `ci/xcresult-attachments`.
@Suite struct XcodeAttachmentsTests {
  private let folder: TemporaryFolder
  private static let store = "0B6D3F4E-5D5B-4C0B-9C55-6F1F0F3F1A01.sqlite"
  private static let wal = "0B6D3F4E-5D5B-4C0B-9C55-6F1F0F3F1A02.sqlite-wal"
  private static let note = "0B6D3F4E-5D5B-4C0B-9C55-6F1F0F3F1A04.txt"
  private static let laid = "attachments/stores/StoreTests.testMigrates/Store.sqlite"

  init() throws {
    folder = try TemporaryFolder()
    let fixture = ThisPackage.file("Tests/Fixtures/XCResult")
    for name in ["results.xml", "attachments"] {
      try FileManager.default.copyItem(
        at: fixture.appendingPathComponent(name), to: URL(fileURLWithPath: folder(name)))
    }
  }

  private func attach(
    _ results: String = "results.xml", _ attachments: String = "attachments", to out: String = "attached.xml"
  ) throws -> CommandResult {
    let script = ThisPackage.file("ci/xcresult-attachments").path
    return try Command(
      [ThisPackage.python, script, results, attachments, out], in: folder.path, separatesErrors: true
    ).run()
  }

  /// Replaces a text of a file, which has it.
  private func edit(_ name: String, _ text: String, _ other: String) throws {
    let former = try folder.read(name)
    let edited = former.replacing(text, with: other)
    try #require(edited != former, "\(name) does not have \(text)")
    try folder.write(edited, to: name)
  }

  private func editManifest(_ text: String, _ other: String) throws {
    try edit("attachments/manifest.json", text, other)
  }

  /// The paths that the written XML names.
  private var named: [String] {
    get throws {
      try folder.read("attached.xml").matches(of: /(?m)^\[\[ATTACHMENT\|(.*)\]\]$/).map { String($0.1) }
    }
  }

  /// Expects an error that says these words, and nothing written.
  private func expectRefusal(_ result: CommandResult, _ words: String...) {
    #expect(result.status == 1, "\(result.errors)")
    for word in words { #expect(result.errors.contains(word), "\(result.errors)") }
    #expect(!result.errors.contains("Traceback"), "\(result.errors)")
    #expect(!folder.files.contains("attached.xml"))
    #expect(!folder.files.contains { $0.hasPrefix("attachments/stores") })
  }
}

// MARK: - From the export to the page

extension XcodeAttachmentsTests {
  @Test func thePageOfAFailedTestHasTheRowsOfItsStore() throws {
    let attached = try attach()
    #expect(attached.status == 0, "\(attached.errors)")
    #expect(try named == [Self.laid, "attachments/" + Self.note])
    let report = try ReporterProcess.run(["report", "attached.xml", "--output", "out"], in: folder.path)
    #expect(report.status == 0, "\(report.errors)")
    let path = try #require(folder.files.first { $0.hasPrefix("out/tests/") && $0.contains("testMigrates") })
    let page = try folder.read(path)
    #expect(page.contains("Store.sqlite"))
    #expect(page.contains("Low Tide"), "a row of the database file")
    #expect(page.contains("Only in the WAL"), "a row that was committed and not checkpointed")
    #expect(page.contains("opened Store.sqlite &amp; migrated it"), "what the test printed")
    let library = try #require(
      folder.files.first { $0.hasPrefix("out/tests/") && $0.contains("keepsAuthors") })
    #expect(try folder.read(library).contains(Self.note))
  }

  @Test func theStoreAloneLacksWhatIsInTheWAL() throws {
    let alone = try ReporterProcess.run(["inspect", "attachments/" + Self.store], in: folder.path)
    #expect(alone.output.contains("Low Tide") && !alone.output.contains("Only in the WAL"), "\(alone.output)")
    #expect(try attach().status == 0)
    let whole = try ReporterProcess.run(["inspect", Self.laid], in: folder.path)
    #expect(whole.status == 0, "\(whole.errors)")
    #expect(whole.output.contains("Only in the WAL"), "\(whole.output)")
  }

  @Test func anAttachedDatabaseNeedsNoEnding() throws {
    try FileManager.default.moveItem(
      atPath: folder("attachments/" + Self.store), toPath: folder("attachments/9A"))
    for file in [Self.wal, Self.wal.replacing("A02", with: "A03").replacing("-wal", with: "-shm")] {
      try editManifest("\"exportedFileName\" : \"\(file)\"", "\"exportedFileName\" : \"\(Self.note)\"")
      try editManifest("Store_0_\(file)", "note.txt")
    }
    try editManifest("\"exportedFileName\" : \"\(Self.store)\"", "\"exportedFileName\" : \"9A\"")
    #expect(try attach().status == 0)
    #expect(try named.contains("attachments/9A"))
    #expect(
      try ReporterProcess.run(["report", "attached.xml", "--output", "out"], in: folder.path).status == 0)
    #expect(try folder.read("out/report.json").contains(#""kind":"database""#))
  }

  @Test func theOtherXMLKeepsItsMeaning() throws {
    try edit("results.xml", "StoreTests.swift:41", "a&#13;b &lt;c> <!-- d --><![CDATA[<e>]]>")
    try edit("results.xml", "<testsuites ", "<!-- first --><testsuites note='x&#10;y' ")
    #expect(try attach().status == 0)
    let script = """
      import sys, xml.etree.ElementTree as e
      def read(path):
          tree = e.parse(path)
          for case in list(tree.iter("testcase")):
              for output in case.findall("system-out"):
                  lines = [line for line in output.text.split("\\n") if "ATTACHMENT" not in line]
                  output.text = "\\n".join(lines).strip()
                  output.tail = ""
                  if not output.text: case.remove(output)
          return [(i.tag, i.attrib, (i.text or "").strip()) for i in tree.iter()]
      sys.exit(read("results.xml") != read("attached.xml"))
      """
    let result = try Command([ThisPackage.python, "-c", script], in: folder.path).run()
    #expect(result.status == 0, "\(result.output)")
    #expect(try folder.read("attached.xml").contains("a&#13;b"))
  }

  @Test func itMayRunAgain() throws {
    #expect(try attach().status == 0)
    let first = try folder.read("attached.xml")
    try folder.write("left by an older store", to: Self.laid + "-journal")
    #expect(try attach().status == 0)
    #expect(try folder.read("attached.xml") == first)
    #expect(!folder.files.contains(Self.laid + "-journal"))
  }
}

// MARK: - Whose an attachment is

extension XcodeAttachmentsTests {
  /// Whether `f.txt`, attached to a test, is named in each of these cases.
  private func cases(naming identifier: String, url: String = "", in xml: String) throws -> [Bool] {
    try folder.write("<testsuites><testsuite name='T'>\(xml)</testsuite></testsuites>", to: "results.xml")
    try folder.write("f", to: "attachments/f.txt")
    let test = #"{"testIdentifier":"\#(identifier)","testIdentifierURL":"\#(url)","#
    try folder.write(
      "[" + test + #""attachments":[{"exportedFileName":"f.txt","repetitionNumber":2}]}]"#,
      to: "attachments/manifest.json")
    let result = try attach()
    #expect([0, 3].contains(result.status), "\(result.errors)")
    let written = try folder.read("attached.xml").split(separator: "<testcase").dropFirst()
    #expect((result.status == 0) == written.contains { $0.contains("f.txt") })
    return written.map { $0.contains("f.txt") }
  }

  private static let url = "test://com.apple.xcode/App/"

  @Test(arguments: [
    ("StoreTests/testA()", "AppTests.StoreTests", "testA"), ("StoreTests/testA()", "StoreTests", "testA()"),
    ("AppTests/StoreTests/testA()", "AppTests.StoreTests", "testA"),
    ("Outer/Inner/a(b:)", "Outer.Inner", "a(b:)"),
    ("Outer/Inner/a(b:)", "Inner", "a"), ("`A store`/`a / b`()", "`A store`", "`a / b`()"),
  ])
  func theTestIsFound(identifier: String, className: String, name: String) throws {
    #expect(
      try cases(naming: identifier, in: "<testcase classname='\(className)' name='\(name)'/>") == [true])
  }

  @Test(arguments: [
    ("StoreTests/testB()", "AppTests/StoreTests/testB"), ("OtherTests/testA()", "AppTests/OtherTests/testA"),
    ("StoreTests/testA()", "OtherTests/StoreTests/testA"), ("Tests/testA()", "AppTests/Tests/testA"),
  ])
  func anotherTestIsNone(identifier: String, path: String) throws {
    let xml = "<testcase classname='AppTests.StoreTests' name='testA'/>"
    #expect(try cases(naming: identifier, url: Self.url + path, in: xml) == [false])
  }

  @Test func theTargetTellsTestsOfOneNameApart() throws {
    let xml = "<testcase classname='A.S' name='t'/><testcase classname='B.S' name='t'/>"
    #expect(try cases(naming: "S/t()", url: Self.url + "B/S/t", in: xml) == [false, true])
    #expect(try cases(naming: "S/t()", in: xml) == [false, false], "nobody says which")
  }

  @Test func aRepetitionHasItsOwn() throws {
    let xml = "<testcase classname='S' name='t'><failure/></testcase><testcase classname='S' name='t'/>"
    #expect(try cases(naming: "S/t()", in: xml) == [false, true])
  }
}

// MARK: - What is left out

extension XcodeAttachmentsTests {
  @Test func attachmentsOfATestThatTheXMLLacksAreCounted() throws {
    try editManifest("StoreTests/testMigrates()", "StoreTests/testGone()")
    let result = try attach()
    #expect(result.status == 3)
    #expect(result.errors.contains("StoreTests/testGone(): \(Self.store)"), "\(result.errors)")
    #expect(result.errors.contains("3 of 4 attachments are left out of attached.xml"), "\(result.errors)")
    #expect(try named == ["attachments/" + Self.note])
  }

  @Test func aFileThatIsNotThereIsLeftOut() throws {
    try FileManager.default.removeItem(atPath: folder("attachments/" + Self.note))
    let result = try attach()
    #expect(result.status == 3)
    #expect(result.errors.contains("\(Self.note): ") && result.errors.contains("has no such file"))
    #expect(try named == [Self.laid])
  }

  @Test func aLinkIsNotFollowed() throws {
    try FileManager.default.removeItem(atPath: folder("attachments/" + Self.note))
    try FileManager.default.createSymbolicLink(
      atPath: folder("attachments/" + Self.note), withDestinationPath: "/etc/hostname")
    #expect(try attach().status == 3)
    #expect(try named == [Self.laid])
  }

  @Test func aWALWithoutItsDatabaseIsLeftOut() throws {
    try FileManager.default.removeItem(atPath: folder("attachments/" + Self.store))
    let result = try attach()
    #expect(result.status == 3)
    #expect(
      result.errors.contains("\(Self.wal): no Store.sqlite is what it may belong to"), "\(result.errors)")
    #expect(try named == ["attachments/" + Self.note])
  }

  @Test func ofTwoWALsNoneIsLaidBesideADatabase() throws {
    try editManifest("Store_0_0B6D3F4E-5D5B-4C0B-9C55-6F1F0F3F1A03.sqlite-shm", "Store_1_\(Self.wal)")
    let result = try attach()
    #expect(result.status == 3)
    #expect(result.errors.contains("one would destroy it"), "\(result.errors)")
    #expect(try named.contains("attachments/" + Self.store))
    #expect(!folder.files.contains { $0.hasPrefix("attachments/stores") })
  }

  @Test func aTestOnTwoDevicesHasTwoStores() throws {
    let manifest = try folder.read("attachments/manifest.json")
    let list = manifest.trimmingCharacters(in: .whitespacesAndNewlines).dropFirst().dropLast()
    try folder.write(
      "[\(list),\(list.replacing("7A3E8C52", with: "8B3E8C52"))]", to: "attachments/manifest.json")
    let result = try attach()
    #expect(result.status == 0, "\(result.errors)")
    let other = Self.laid.replacing("testMigrates/", with: "testMigrates-2/")
    #expect(try Set(named) == [Self.laid, other, "attachments/" + Self.note])
    #expect(folder.files.contains(other + "-wal"))
  }
}

// MARK: - What is refused

extension XcodeAttachmentsTests {
  @Test(arguments: ["../results.xml", "/etc/passwd", #"a\nb"#, "a]]b", #"\ud800"#, ".hidden", "..", ""])
  func aNameThatIsNoneIsRefused(name: String) throws {
    try editManifest("\"exportedFileName\" : \"\(Self.note)\"", "\"exportedFileName\" : \"\(name)\"")
    expectRefusal(
      try attach(), "manifest.json", "is no name of an exported file", "export the attachments again")
  }

  @Test(arguments: ["../../../evil", "/evil", #"a\nevil"#, "evil]]"])
  func aSuggestedNameLeadsNowhere(name: String) throws {
    for side in ["", "-wal", "-shm"] {
      let number = ["": 1, "-wal": 2, "-shm": 3][side] ?? 0
      try editManifest("Store_0_0B6D3F4E-5D5B-4C0B-9C55-6F1F0F3F1A0\(number).sqlite\(side)", name + side)
    }
    let before = Set(folder.files)
    #expect(try attach().status == 0)
    let made = Set(folder.files).subtracting(before).subtracting(["attached.xml"])
    #expect(made.count == 3)
    #expect(made.allSatisfy { $0.hasPrefix("attachments/stores/StoreTests.testMigrates/") }, "\(made)")
    #expect(
      try ReporterProcess.run(["report", "attached.xml", "--output", "out"], in: folder.path).status == 0)
  }

  @Test(arguments: [
    "", "{", "{}", "null", "[1]", #"[{"testIdentifier":5,"attachments":[]}]"#, #"[{"attachments":[]}]"#,
    #"[{"testIdentifier":"a","attachments":3}]"#, String(repeating: "[", count: 100_000),
  ])
  func aBrokenManifestIsRefused(json: String) throws {
    try folder.write(json, to: "attachments/manifest.json")
    expectRefusal(
      try attach(), "manifest.json: it is no manifest of xcresulttool", "export the attachments again")
  }

  @Test(arguments: ["", "<a><b></a>", "\u{0}", "<?xml version='1.0' encoding='none'?><a/>"])
  func brokenXMLIsRefused(xml: String) throws {
    try folder.write(xml, to: "results.xml")
    expectRefusal(try attach(), "results.xml: it cannot be read as XML")
  }

  @Test func whatGrowsWithoutEndIsRefused() throws {
    try folder.write("<!DOCTYPE a [<!ENTITY b 'c'>]><testsuite>&b;</testsuite>", to: "results.xml")
    expectRefusal(try attach(), "results.xml: it has a DOCTYPE")
    let depth = 100_000
    try folder.write(
      String(repeating: "<testsuite>", count: depth) + String(repeating: "</testsuite>", count: depth),
      to: "results.xml")
    #expect(try attach().errors.contains("results.xml: it nests deeper"))
  }

  @Test func aFileThatIsMissingOrHugeIsNamed() throws {
    expectRefusal(try attach("none.xml"), "none.xml: there is no such file", "name the JUnit XML")
    let file = try #require(FileHandle(forWritingAtPath: folder("results.xml")))
    try file.truncate(atOffset: 300 << 20)
    try file.close()
    expectRefusal(try attach(), "results.xml: it is larger than 256 MiB")
    try FileManager.default.removeItem(atPath: folder("attachments/manifest.json"))
    try folder.write("<testsuite/>", to: "results.xml")
    expectRefusal(
      try attach(), "manifest.json: there is no such file", "export the attachments into this folder")
  }

  @Test func nothingIsWrittenElsewhere() throws {
    let out = try folder.makeFolder("elsewhere") + "/attached.xml"
    expectRefusal(try attach(to: out), "does not lie below", "write OUT into a folder above it")
    expectRefusal(try attach(to: "results.xml"), "name another file")
    let links = FileManager.default
    try links.createSymbolicLink(atPath: folder("linked.xml"), withDestinationPath: folder("target.xml"))
    expectRefusal(try attach(to: "linked.xml"), "name another file")
    try links.createSymbolicLink(
      atPath: folder("attachments/stores"), withDestinationPath: folder("elsewhere"))
    let result = try attach()
    #expect(result.status == 1 && result.errors.contains("a link leads elsewhere"), "\(result.errors)")
    #expect(
      !folder.files.contains { $0.hasPrefix("elsewhere") || ["target.xml", "attached.xml"].contains($0) })
  }
}

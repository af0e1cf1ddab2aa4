import Collector
import ExhibitSystem
import Foundation
import Testing

@testable import ReportModel
@testable import ReportReading
@testable import ReportTestSupport

/// Inputs that are large in one place take time in proportion to their size.
@Suite struct LargeInputTests {
  /// How a file of so many parts looks.
  struct Shape: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var xml: @Sendable (Int) -> String
  }

  private static let shapes = [
    Shape(testDescription: "attempts of one case") {
      "<testcase classname='A.B' name='t'>" + repeated("<flakyFailure message='m'/>", $0) + "</testcase>"
    },
    Shape(testDescription: "failures of one case") {
      "<testcase classname='A.B' name='t'>" + repeated("<failure message='m'/>", $0) + "</testcase>"
    },
    Shape(testDescription: "cases of one name") {
      repeated("<testcase classname='A.B' name='t'><failure message='m'/></testcase>", $0)
    },
    Shape(testDescription: "attributes") { count in
      "<testcase classname='A.B' name='t'"
        + (0..<count).map { " a\($0)='1'" }.joined() + "/>"
    },
    Shape(testDescription: "end tags without a start") {
      repeated("<a>", 900) + repeated("</b>", $0)
    },
    Shape(testDescription: "document types without an end") {
      "<testcase classname='A.B' name='t'/>" + repeated("<!DOCTYPE [\n", $0)
    },
  ]

  /// Ten times as much takes about ten times as long; where it was quadratic, a hundred times.
  @Test(arguments: shapes) func tenTimesAsMuchTakesTenTimesAsLong(shape: Shape) {
    func time(_ count: Int) -> Duration {
      let file = LoadedFile(
        name: "x.xml", path: "/x.xml",
        bytes: Data("<testsuites><testsuite name='s'>\(shape.xml(count))</testsuite></testsuites>".utf8))
      return ProcessorTime.of {
        for var test in InputJoin([XUnitInput.read(file)]).tests {
          test.finish(with: [], root: SourceRoot(path: "/p"))
        }
      }
    }
    let small = (0..<3).map { _ in time(4000) }.min() ?? .zero
    let large = (0..<2).map { _ in time(40_000) }.min() ?? .zero
    #expect(large / small < 35, "\(small), \(large)")
  }

  @Test func issuesAreChangedWhereTheyStand() throws {
    func time(_ count: Int) throws -> Duration {
      let issue = TestIssue(
        message: "m", location: SourceReference(file: "/p/A.swift", line: 1), severity: .error,
        isKnown: false)
      let test = Observation(
        id: TestCaseID(module: "M", suite: ["S"], name: "t"), outcome: .failed,
        issues: Array(repeating: issue, count: count))
      let joined = TestRecord(test.id, joining: [test], .init(outcome: test.outcome, isContradictory: false))
      return ProcessorTime.of {
        var result = joined
        result.finish(with: [], root: SourceRoot(path: "/p"))
        #expect(result.issues.last?.location?.file == "A.swift")
      }
    }
    let small = try (0..<3).map { _ in try time(3000) }.min() ?? .zero
    let large = try (0..<3).map { _ in try time(30_000) }.min() ?? .zero
    #expect(large / small < 35, "\(small), \(large)")
  }

  /// What was read of a mapped file is freed, and still compared with later: names of open elements and classes, and
  /// lines that are counted from the beginning.
  @Test func aMappedFileSaysTheSameAsOneInMemory() throws {
    let folder = try TemporaryFolder()
    let cases = (0..<60_000).map {
      "<testcase classname='A.B\($0 % 3)' name='t\(60_000 - $0)'>\n<skipped/></testcase>\n"
    }
    let xml = "<testsuites>\n<testsuite name='s'>\n\(cases.joined())</skipped>\n</testsuite>\n</testsuites>\n"
    try Data(xml.utf8).write(to: URL(fileURLWithPath: folder.path + "/x.xml"))
    let mapped = try LoadedFile(name: "x.xml", path: folder.path + "/x.xml")
    mapped.leave(upTo: mapped.bytes.count)
    #expect(mapped.bytes == Data(xml.utf8))
    let input = XUnitInput.read(mapped)
    #expect(input == XUnitInput.read(LoadedFile(name: "x.xml", path: "/x.xml", bytes: Data(xml.utf8))))
    #expect(input.observations.count == 60_000)
    #expect(input.remarks.faults.map(\.kind) == ["malformedXML"])
  }

  @Test func testsOfOneFileAreSortedWhereTheyAre() throws {
    let folder = try TemporaryFolder()
    let names = ["c", "a", "d", "b", "a"]
    let cases = names.map { "<testcase classname='A.B' name='\($0)'/>" }.joined()
    try Data("<testsuites><testsuite name='s'>\(cases)</testsuite></testsuites>".utf8)
      .write(to: URL(fileURLWithPath: folder.path + "/x.xml"))
    let found = FoundInput(form: .xunit, name: "x.xml", path: folder.path + "/x.xml")
    let runs = try RunInputs.read([.input(found)], recovered: [:], named: ["x.xml"])
    #expect(runs.flatMap(\.inputs).flatMap(\.observations).map(\.id.name) == names.sorted())
    #expect(RunJoin(runs).tests.map(\.id.name) == ["a", "a #2", "b", "c", "d"])
  }

  /// A list of lines took 17 bytes for each.
  @Test func emptyLinesTakeNoRoomOfTheirOwn() {
    let bytes = Data(repeating: UInt8(ascii: "\n"), count: 16 << 20)
    let file = LoadedFile(name: "f", path: "/f", bytes: bytes)
    func megabytesTaken(_ work: () -> Void) -> Int {
      func peak() -> Int {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return Int(usage.ru_maxrss) >> 10
      }
      let before = peak()
      work()
      return peak() - before
    }
    #expect(megabytesTaken { _ = TestListing(file) } < 64)
    #expect(megabytesTaken { _ = SwiftTestOutput(file) } < 64)
    #expect(megabytesTaken { _ = LogReader.read(bytes, LogTests.kinds) } < 64)
    #expect(megabytesTaken { _ = EventStreamInput.read(file, attachments: []) } < 64)
    let damaged = LogReader.read(Data(String(repeating: "x\n", count: 1000).utf8), LogTests.kinds)
    #expect(damaged.problems.count == 12 && damaged.problems.last == .moreUnreadableLines(990))
  }

  @Test func aDamagedLineIsCountedAfterTwenty() {
    let head = #"{"kind":"event","payload":{"kind":"runStarted"},"version":0}"#
    let lines = String(repeating: "{}\nx\n", count: 500)
    let file = LoadedFile(name: "e.jsonl", path: "/e.jsonl", bytes: Data("\(head)\n\(lines)".utf8))
    let faults = EventStreamInput.read(file, attachments: []).remarks.faults
    let damaged = faults.filter { $0.kind == "eventStreamDamaged" }
    #expect(damaged.count == 21)
    #expect(damaged.last?.message == "980 more of this kind.")
    #expect(damaged.allSatisfy { $0.input == "e.jsonl" })
  }

  @Test func findingsOfSeveralInputsAreCountedTogether() {
    var all = Remarks()
    for input in ["a", "b", "a"] {
      var remarks = Remarks()
      for number in 1...30 { remarks.fault(.logDamaged, "Line \(number)", input: input) }
      remarks.fault(.logEndedEarly, "It ended.", input: input)
      all.append(remarks)
    }
    let told = all.faults.filter { $0.message.hasPrefix("Line") }
    #expect(told.count { $0.input == "a" } == 20 && told.count { $0.input == "b" } == 20)
    #expect(all.faults.suffix(2).map(\.message) == ["40 more of this kind.", "10 more of this kind."])
    #expect(all.faults.count { $0.kind == "logEndedEarly" } == 3)
  }
}

private func repeated(_ text: String, _ count: Int) -> String {
  String(repeating: text, count: count)
}

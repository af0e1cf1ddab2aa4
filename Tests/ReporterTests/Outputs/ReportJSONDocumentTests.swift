import Collector
import Foundation
import Testing

@testable import ReportInspection
@testable import ReportModel
@testable import ReportReading
@testable import ReportRendering
@testable import ReportStory
@testable import ReportTestSupport

/// docs/report-json.md names every key of report.json and every kind of remark, and none that does not exist.
@Suite struct ReportJSONDocumentTests {
  private let sections: [String: Set<String>]
  private let report: [String: Any]

  init() throws {
    let root = URL(fileURLWithPath: Fixture.folder).deletingLastPathComponent().deletingLastPathComponent()
    let text = try String(contentsOf: root.appendingPathComponent("docs/report-json.md"), encoding: .utf8)
    var sections: [String: Set<String>] = [:]
    for section in text.components(separatedBy: "\n## ").dropFirst() {
      let title = section.prefix { $0 != "\n" }
      let cells = section.split(separator: "\n").filter { $0.hasPrefix("| `") }
        .map { $0.split(separator: "|")[0] }
      let words = cells.flatMap { $0.split(separator: "`").filter { !$0.allSatisfy { " ,".contains($0) } } }
      sections[String(title)] = Set(words.map(String.init))
    }
    self.sections = sections
    var contents = ReportContents(report: Self.complete, nonce: "n")
    contents.findings = ["a.sqlite": ordersFindings]
    contents.stories = [.store("a"): try Self.story()]
    let file = ReportDocument(contents).file()
    let json = try JSONSerialization.jsonObject(with: Data(file.contents))
    report = try #require(json as? [String: Any])
  }

  /// A report with a value in every list.
  private static var complete: Report {
    let issue = TestIssue(message: "m", location: nil, severity: .error, isKnown: false)
    let output = Data("Test Suite 'All tests' started at 1\nlast words\n*** Signal 4: at 0x1\n".utf8)
    let test = TestResult(
      id: .store("a"), outcome: .crashed, issues: [issue],
      evidence: [
        TestEvidence(kind: .text, name: "a", failure: "no"),
        TestEvidence(kind: .database, name: "a.sqlite", path: "a.sqlite"),
      ],
      attempts: [TestAttempt(outcome: .failed)],
      crash: ProcessOutput.stopped(in: output).first.flatMap { CrashOutput($0) })
    return Report(
      title: "a", runs: [Report.Run(name: "r")], tests: [test],
      faults: [Remark(kind: "k", message: "m", input: nil)], notices: []
    )
  }

  private static func story() throws -> Story {
    var written = WrittenStory()
    written.insert("orders", 1, "[1]")
    return try written.story()
  }

  private func first(_ key: String, of object: [String: Any]) throws -> [String: Any] {
    try #require((object[key] as? [[String: Any]])?.first)
  }

  @Test func everyKeyIsDescribed() throws {
    let test = try first("tests", of: report)
    let story = try #require(test["story"] as? [String: Any])
    let step = try first("steps", of: story)
    let finding = try first("findings", of: test)
    let objects = try [
      "A finding": finding, "A row of a finding": first("rows", of: finding),
      "A story": story, "A step": step, "A change": first("changes", of: step),
      "The report": report, "A run": first("runs", of: report), "A test": test,
      "A crash": #require(test["crash"] as? [String: Any]),
      "An attempt": first("attempts", of: test), "An issue": first("issues", of: test),
      "Evidence": first("evidence", of: test),
    ]
    for (title, object) in objects {
      #expect(sections[title] == Set(object.keys), "\(title)")
    }
  }

  @Test func everyKeyOfPlacesIsDescribed() throws {
    let run = try RunWithPlaces(.assertion)
    try run.report()
    let story = try #require(run.document["story"] as? [String: Any])
    let line = try first("lines", of: story)
    let objects = try [
      "A line": line, "A called function": first("called", of: line),
      "A stack": first("stacks", of: story), "A place": first("places", of: first("stacks", of: story)),
    ]
    for (title, object) in objects {
      #expect(sections[title] == Set(object.keys), "\(title)")
    }
  }

  @Test func everyKindAndOriginOfAFindingIsDescribed() throws {
    let text = try String(contentsOf: ThisPackage.file("docs/report-json.md"), encoding: .utf8)
    let section = try #require(text.components(separatedBy: "\n## A finding\n").last)
    for word in Finding.Kind.allCases.map(\.rawValue) + Finding.Origin.allCases.map(\.rawValue) {
      #expect(section.contains("`\(word)`"), "\(word)")
    }
  }

  @Test func findingsAreToldWithTheirRowsAndWhoBroughtThem() throws {
    let test = try first("tests", of: report)
    let findings = try #require(test["findings"] as? [[String: Any]])
    #expect(findings.map { $0["folded"] as? Bool } == [false, false, false, true, true])
    #expect(
      findings.map { $0["origin"] as? String } == ["lastStep", "test", "unknown", "unknown", "baseline"])
    #expect(findings[0]["databases"] as? [String] == ["a.sqlite"] && findings[0]["omitted"] as? Int == 10)
    let row = try first("rows", of: findings[0])
    #expect(row["key"] as? [Int] == [1] && row["step"] as? Int == 24 && row["written"] as? Bool == true)
    #expect(try first("values", of: row) as? [String: String] == ["column": "total", "value": "116,91"])
    #expect(test["unexamined"] as? [String] == ordersFindings.unexamined)
  }

  @Test func everyRemarkIsDescribed() throws {
    let keys = try Set(first("faults", of: report).keys)
    #expect(sections["A remark"] == keys.union(Remark.Kind.allCases.map(\.rawValue)))
  }

  @Test func aCrashIsToldAsOnThePage() throws {
    let crash = try #require(try first("tests", of: report)["crash"] as? [String: [String]])
    #expect(crash["lastOutput"]?.last == "last words")
    #expect(crash["backtrace"] == ["*** Signal 4: at 0x1"])
  }

  @Test func aRecordedCrashIsToldToo() throws {
    let folder = try TemporaryFolder()
    let arguments = ["report", Fixture.recording("recorded-crash-xctest"), "--output", "out"]
    _ = try ReporterProcess.run(arguments, in: folder.path)
    let json = try JSONSerialization.jsonObject(with: Data(folder.read("out/report.json").utf8))
    let tests = try #require((json as? [String: Any])?["tests"] as? [[String: Any]])
    let crashed = tests.filter { $0["outcome"] as? String == "crashed" }
    #expect(!crashed.isEmpty)
    for test in crashed {
      let crash = try #require(test["crash"] as? [String: [String]])
      #expect(crash["lastOutput"]?.contains { $0.contains("started at") } == true)
    }
    #expect(tests.filter { $0["outcome"] as? String == "passed" }.allSatisfy { $0["crash"] is NSNull })
  }
}

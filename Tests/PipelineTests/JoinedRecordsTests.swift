import Foundation
import Testing

/// What the log of a real run and the files of `swift test` say together.
@Suite struct JoinedRecordsTests {
  private static let filter = ["--filter", "OtherTests|VerdictTraitTests"]

  /// Functions that are shown beside their own cases.
  private func shownTwice(_ document: ReportJSON.Document) -> [String] {
    let cases = Set(
      document.tests.filter { $0.id.hasSuffix(")") && $0.id.contains(") (") }.map { id in
        String(id.id[..<(id.id.range(of: ") (")?.lowerBound ?? id.id.endIndex)]) + ")"
      })
    return document.tests.map(\.id).filter(cases.contains)
  }

  @Test func aFunctionAndAnIssueAreShownOnceWhicheverFilesAreReadBesideTheLog() async throws {
    let folder = try TemporaryFolder()
    let files = ["events.jsonl", "x.xml"].map { folder.path + "/" + $0 }
    let run = try await FixturePackage.verdicts.test(
      Self.filter + [
        "--event-stream-output-path", files[0], "--event-stream-version", "6.3", "--xunit-output", files[1],
      ])
    let xunit = folder.path + "/x-swift-testing.xml"
    var counts: [[String: Int]] = []
    for inputs in [[], [files[0]], [xunit], [files[0], xunit]] {
      let output = "\(folder.path)/report-\(counts.count)"
      _ = try await FixturePackage.verdicts.reportAgain(
        on: run, [run.artifacts.path] + inputs + ["--output", output])
      let document = try ReportJSON(in: output).document
      #expect(shownTwice(document) == [], "\(inputs)")
      // The XML announces the failures that no test of it has.
      let lacking = inputs.contains(xunit) ? ["testCount"] : []
      #expect(document.faults.map(\.kind) == lacking + ["issueOutsideTest", "issueOutsideTest"], "\(inputs)")
      #expect(document.notices.isEmpty, "\(inputs)")
      counts.append(document.counts)
    }
    #expect(Set(counts).count == 1, "\(counts)")
  }

  @Test func thatSuitesWithoutTheTraitWereNotRecordedIsANotice() async throws {
    let arguments = ["--filter", "VerdictTraitTests/known|OtherTests/passes"]
    let off = try await FixturePackage.verdicts.report(arguments, environment: ["EXHIBIT_ENTRY": "off"])
    #expect(try ReportJSON(of: off).document.notices.map(\.kind) == ["traitAlone"])
    #expect(try !ReportJSON(of: off).degraded)
    let on = try await FixturePackage.verdicts.report(arguments)
    #expect(try ReportJSON(of: on).document.notices.isEmpty)
    #expect(on.outcomes.keys.contains("VerdictXCTests.OtherTests/passes()"))
    #expect(!off.outcomes.keys.contains("VerdictXCTests.OtherTests/passes()"))
  }
}

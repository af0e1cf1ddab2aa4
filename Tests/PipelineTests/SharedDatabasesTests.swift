import Collector
import ExhibitSystem
import Foundation
import Testing

/// Databases that several tests use, some of which fail and are captured.
@Suite struct SharedDatabasesTests {
  /// 200 times in the long version.
  @Test func aCaptureFailsNoInnocentTest() async throws {
    var captures = 0
    for _ in 0..<(LongTests.areAsked ? 200 : 3) {
      let run = try await FixturePackage.recorded.testDirectly(["--filter", "SharedTests.SharedTests"])
      let outcomes = run.outcomes
      #expect(outcomes.count == 40)
      for (test, outcome) in outcomes {
        let number = test.split(separator: "(").last.flatMap { Int($0.dropLast()) } ?? 0
        #expect(outcome == (number.isMultiple(of: 2) ? .failed : .passed), "\(test)\n\(run.output)")
        // Nothing beside what it recorded on purpose.
        #expect(run.issues(of: test).count == (number.isMultiple(of: 2) ? 1 : 0), "\(test)\n\(run.output)")
      }
      for test in outcomes.keys {
        #expect(run.failures(of: test).isEmpty)
        for evidence in run.evidence(of: test) {
          #expect(try run.value("PRAGMA integrity_check", in: evidence) == "ok")
          captures += 1
        }
      }
    }
    if LongTests.areAsked { print("captured \(captures) databases that other tests wrote") }
    #expect(captures > 0)
  }

  @Test func oneStateLiesOnTheDiskOnce() async throws {
    let run = try await FixturePackage.recorded.testDirectly(["--filter", "SharedTests.UnchangedTests"])
    let evidence = run.records.compactMap { record -> CapturedEvidence? in
      if let evidence = record.payload as? CapturedEvidence, evidence.kind != .story { evidence } else { nil }
    }
    try #require(evidence.count == 4, "\(run.output)")
    #expect(Set(evidence.map(\.path)).count == 4)
    let files = try evidence.map { try #require(FileSystem.status(run.path(of: $0))) }
    #expect(Set(files.map(\.st_ino)).count == 1)
    let folder = try run.runs[0] + "/evidence"
    for test in Set(run.records.compactMap { $0.test?.description }) {
      if let story = try run.story(of: test) { try FileManager.default.removeItem(atPath: story) }
    }
    #expect(FileSystem.size(of: folder) == Int(files[0].st_size))
  }
}

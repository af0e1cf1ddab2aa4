import ReportModel
import Testing

@testable import ReportHistory

/// The run of a report on the shards of one.
@Suite struct HistoryRunTests {
  /// Shards of two machines, with whether files had changed on each, and where each lies.
  private func run(_ dirty: [Bool?], in places: [String], start: Double = 1000) throws -> HistoryRun {
    let runs = dirty.indices.map { index in
      var run = Report.Run(
        name: "nightly", start: start + Double(index), toolchain: "Swift 6.3",
        commit: WrittenHistory.commit("a"),
        isDirty: dirty[index], host: "machine-\(index)", label: "linux",
        shard: Shard(number: index + 1, count: dirty.count, split: "0", tests: 1))
      // As runs of one name are told apart.
      run.name = places[index]
      return run
    }
    return try #require(HistoryRun(Report(title: "", runs: runs, tests: [], remarks: Remarks()), label: nil))
  }

  @Test(
    arguments: [
      ([false, false], false), ([false, true], true), ([true, false], true), ([nil, true], true),
      ([false, nil], nil), ([nil, false], nil),
    ] as [([Bool?], Bool?)])
  func itIsWithoutChangesWhereAllShardsAre(dirty: [Bool?], expected: Bool?) throws {
    #expect(try run(dirty, in: ["a", "b"]).isDirty == expected)
  }
}

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
    return try #require(HistoryRun(Report(title: "", runs: runs, tests: []), label: nil))
  }

  @Test(
    arguments: [
      ([false, false], false), ([false, true], true), ([true, false], true), ([nil, true], true),
      ([false, nil], nil), ([nil, false], nil),
    ] as [([Bool?], Bool?)])
  func itIsWithoutChangesWhereAllShardsAre(dirty: [Bool?], expected: Bool?) throws {
    #expect(try run(dirty, in: ["a", "b"]).isDirty == expected)
  }

  @Test func itIsTheSameRunWhereverTheShardsLie() throws {
    let run = try run([false, false], in: ["shard-1/runs/nightly", "shard-2/runs/nightly"])
    #expect(run.name == "nightly")
    #expect(try self.run([false, false], in: ["2.tar.gz", "1.tar.gz"]) == run)
    #expect(try self.run([false, false], in: ["2.tar.gz", "1.tar.gz"], start: 1001).key != run.key)
  }

  @Test func shardsThatBeganAtOnceHaveOneOrder() throws {
    let shards = (1...2).map { number in
      var run = Report.Run(
        name: "nightly", start: 1000, host: "machine-\(number)", label: "linux",
        shard: Shard(number: number, count: 2, split: "0", tests: 1))
      run.name = "shard-\(number)"
      return run
    }
    let renamed = zip(shards, ["z", "a"]).map { shard, name in
      var run = shard
      run.name = name
      return run
    }
    let runs = [shards, renamed].map {
      HistoryRun(Report(title: "", runs: $0, tests: []), label: "l")
    }
    #expect(runs[0] != nil && runs[0] == runs[1])
  }

  /// Each container has a host's name of its own.
  @Test func theNameOfTheHostIsInNoLabel() {
    func label(_ hosts: String..., job: String? = nil) -> String? {
      let runs = hosts.indices.map { index in
        Report.Run(
          name: "nightly", start: 1000, toolchain: "Swift 6.3", job: job, host: hosts[index],
          shard: Shard(number: index + 1, count: hosts.count, split: "0", tests: 1))
      }
      return HistoryRun(Report(title: "", runs: runs, tests: []), label: nil)?.label
    }
    #expect(label("5f3a9c2b1d0e") == "Swift 6.3")
    #expect(label("5f3a9c2b1d0e", "e0d1b2c9a3f5") == "Swift 6.3")
    #expect(label("5f3a9c2b1d0e", job: "tests") == "tests, Swift 6.3")
  }

  /// Histories have such keys, by which a report that is made again finds its run.
  @Test func theKeysOfRunsWithNamesOfTheirOwnAreThoseThatTheyWere() throws {
    let one = Report.Run(name: "a", start: 1000.5, host: "here", label: "linux")
    let report = Report(title: "", runs: [one], tests: [])
    #expect(HistoryRun(report, label: nil)?.key == "a 1000.5 here")
    let shards = (1...2).map { number in
      Report.Run(
        name: "\(9 - number)", start: Double(number), host: "h\(number)", label: "linux",
        shard: Shard(number: number, count: 2, split: "0", tests: 1))
    }
    let merged = Report(title: "", runs: shards, tests: [])
    #expect(HistoryRun(merged, label: nil)?.key == "8 1.0 h1\n7 2.0 h2")
  }
}

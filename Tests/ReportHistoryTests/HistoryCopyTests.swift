import Collector
import Foundation
import ReportModel
import Testing

@testable import ReportHistory

/// What `reporter history import` and `export` do from one file to another.
@Suite struct HistoryCopyTests {
  private let source: WrittenHistory
  private let copy: WrittenHistory

  init() throws {
    (source, copy) = (try WrittenHistory(), try WrittenHistory())
  }

  @Test func aRunOfManyShardsIsCopiedWithItsWholeKey() throws {
    var run = WrittenHistory.run(1)
    run.key = (1...1000).map { "nightly 1000000.5 runner-\($0).cloud.example" }.joined(separator: "\n")
    try source.add(run, WrittenHistory.result(WrittenHistory.first, .failed))
    var copied = try copy.file.addRuns(of: source.file)
    #expect(copied == CopiedRuns(added: 1))
    #expect(try copy.value("SELECT key FROM runs") == run.key)
    copied = try copy.file.addRuns(of: source.file)
    #expect(copied == CopiedRuns(known: 1))
  }

  @Test func runsOfAClockThatIsAheadAreLeftOut() throws {
    for hour in 1...3 { try source.add(Double(hour), .failed) }
    let now = WrittenHistory.run(2).began - 86_400
    #expect(try copy.file.addRuns(of: source.file, now: now) == CopiedRuns(added: 2, ahead: 1))
    #expect(try copy.value("SELECT group_concat(name) FROM runs") == "run-1,run-2")
  }

  @Test func oneOfAnotherVersionIsNotCopiedNorCopiedTo() throws {
    for history in [source, copy] { try history.add(1, .failed) }
    for version in [1, HistorySchema.version + 1] {
      try TestConnection(source.file.path, "PRAGMA user_version = \(version)").close()
      let before = try (source.bytes, copy.bytes)
      let problem: HistoryError.Problem =
        version == 1 ? .older(version: version) : .newer(version: version)
      #expect(throws: HistoryError(source.file.path, problem)) { try copy.file.addRuns(of: source.file) }
      #expect(throws: HistoryError(source.file.path, problem)) { try source.file.addRuns(of: copy.file) }
      #expect(try (source.bytes, copy.bytes) == before)
    }
  }

  @Test func oneThatWasInterruptedBeforeItsFirstRunGoesOn() throws {
    try source.add(1, .failed)
    try copy.folder.write("", to: "history.sqlite")
    #expect(try copy.file.addRuns(of: source.file).added == 1)
  }

  @Test func oneThatWasInterruptedWithinARunGoesOn() throws {
    for hour in 1...3 { try source.add(Double(hour), .failed) }
    try copy.add(1, .failed)
    let left = try copy.leaveInterrupted()
    let copied = try left.addRuns(of: source.file)
    #expect(copied == CopiedRuns(added: 2, known: 1))
    #expect(try TestConnection(left.path, "SELECT 1").text("SELECT count(*) FROM messages") == "1")
  }
}

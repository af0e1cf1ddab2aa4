import Collector
import Testing

@testable import ReportRendering

/// How the page says in words where a captured database comes from.
@Suite struct CaptureWordingTests {
  @Test func theWALIsSpokenOfWhereThereCanBeOne() {
    let read = DatabaseCapture(method: .readTransaction, wal: .committed, databaseBytes: 1)
    #expect(read.sentence == "Read inside a read transaction; the WAL’s committed rows are folded in.")
    let serialized = DatabaseCapture(method: .serialize, databaseBytes: 1)
    #expect(serialized.sentence == "Serialized by the test's own connection.")
  }

  @Test func aTransactionThatWasNotCommittedIsSpokenOf() {
    let frames = WALFrames(committed: 3, transactions: 2, uncommitted: 123)
    var left = DatabaseCapture(method: .postMortem, wal: .committed, walFrames: frames, databaseBytes: 1)
    #expect(left.sentence.hasPrefix("Copied after its process had died, and recovered in the copy;"))
    #expect(
      left.sentence.hasSuffix(
        "The WAL ends with 123 pages of a transaction that was not committed; they are not in this file."))
    left.history = "a.history"
    #expect(left.sentence.hasSuffix("not committed; only the raw files have them."))
  }

  @Test func whatWasUnusualIsSaid() {
    let note = "The -wal beside it belongs to another database."
    let capture = DatabaseCapture(method: .immutable, wal: .foreign, databaseBytes: 1, note: note)
    #expect(capture.sentence.hasSuffix("the WAL beside it is another database’s. \(note)"))
  }
}

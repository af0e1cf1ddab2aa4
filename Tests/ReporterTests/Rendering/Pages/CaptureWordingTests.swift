import Collector
import Testing

@testable import Reporter

/// How the page says in words where a captured database comes from.
@Suite struct CaptureWordingTests {
  @Test func theWALIsSpokenOfWhereThereCanBeOne() {
    let read = DatabaseCapture(method: .readTransaction, wal: .committed, databaseBytes: 1)
    #expect(read.sentence == "Read inside a read transaction; the WAL’s committed rows are folded in.")
    let serialized = DatabaseCapture(method: .serialize, databaseBytes: 1)
    #expect(serialized.sentence == "Serialized by the test's own connection.")
  }

  @Test func whatWasUnusualIsSaid() {
    let note = "The -wal beside it belongs to another database."
    let capture = DatabaseCapture(method: .immutable, wal: .foreign, databaseBytes: 1, note: note)
    #expect(capture.sentence.hasSuffix("the WAL beside it is another database’s. \(note)"))
  }
}

/// A page that breaks SQLite's file format, and how.
package struct DamagedPage: Error, Sendable, Hashable {
  package var page: UInt32
  package var fault: Fault

  package enum Fault: Sendable, Hashable {
    case noHeader
    case missing
    /// Its parent requires another kind.
    case otherKind(UInt8)
    case cellOutside(index: Int)
    case payloadTooLong(bytes: UInt64)
    /// Overflow pages end before the payload.
    case chainEnds
    /// More overflow pages claimed than there are pages.
    case chainsTooLong
    case usedTwice
    case tooDeep
    case unordered
    case record
    case tooManyPages
  }

  package init(_ page: UInt32, _ fault: Fault) {
    self.page = page
    self.fault = fault
  }

  /// Such as "page 7 is used twice".
  package var text: String {
    switch fault {
    case .noHeader: "page \(page) has no header of a database"
    case .missing: "page \(page) is not there"
    case .otherKind(let kind): "page \(page) is of another kind than its tree (\(kind))"
    case .cellOutside(let index): "cell \(index) of page \(page) reaches out of it"
    case .payloadTooLong(let bytes): "page \(page) claims a row of \(bytes) bytes"
    case .chainEnds: "the overflow pages of a row in page \(page) end too soon"
    case .chainsTooLong: "the rows up to page \(page) claim more overflow pages than there are pages"
    case .usedTwice: "page \(page) is used twice"
    case .tooDeep: "page \(page) lies deeper than a tree can be"
    case .unordered: "the rowids in page \(page) do not ascend"
    case .record: "page \(page) has a row that is no record"
    case .tooManyPages: "the database has more than \(DatabaseState.pageLimit) pages"
    }
  }
}

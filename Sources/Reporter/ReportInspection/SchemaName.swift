import ExhibitSystem

/// A name as SQLite compares it: only ASCII letters ignore case.
package func foldedName(_ name: String) -> String {
  guard name.holds(capitals) else { return name }
  return String(
    decoding: name.utf8.map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 ? $0 | 0x20 : $0 }, as: UTF8.self)
}

private let capitals = ByteSet { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 }

extension String {
  /// True for names reserved by SQLite.
  package var isOfSQLite: Bool { foldedName(self).begins(as: "sqlite_", for: 7) }
}

package struct SchemaName: Hashable {
  private let bytes: [UInt8]

  package init(_ name: String) {
    bytes = Array(foldedName(name).utf8)
  }

  /// The possible virtual table of a shadow table's name.
  var beforeUnderscore: SchemaName? {
    bytes.lastIndex(of: UInt8(ascii: "_")).map { SchemaName(bytes: Array(bytes[..<$0])) }
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  /// The shadow table's name after its virtual table was renamed.
  func renamed(from owner: SchemaName, to later: SchemaName) -> SchemaName {
    SchemaName(bytes: later.bytes + bytes.dropFirst(owner.bytes.count))
  }

  func hasSuffix(_ suffix: String) -> Bool { bytes.reversed().starts(with: suffix.utf8.reversed()) }
}

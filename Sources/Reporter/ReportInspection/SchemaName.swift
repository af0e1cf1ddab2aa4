import ExhibitSystem

/// A table's name as SQLite compares it: only the letters of ASCII have two cases.
package func foldedName(_ name: String) -> String {
  guard name.holds(capitals) else { return name }
  return String(
    decoding: name.utf8.map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 ? $0 | 0x20 : $0 }, as: UTF8.self)
}

private let capitals = ByteSet { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 }

extension String {
  /// True when SQLite keeps the table or index of this name for itself.
  package var isOfSQLite: Bool { foldedName(self).begins(as: "sqlite_", for: 7) }
}

/// A name of a schema as SQLite tells them apart: by bytes, but for the case of A to Z.
package struct SchemaName: Hashable {
  private let bytes: [UInt8]

  package init(_ name: String) {
    bytes = Array(foldedName(name).utf8)
  }

  /// The name in front of the last underscore, which is the virtual table's that keeps this one.
  var beforeUnderscore: SchemaName? {
    bytes.lastIndex(of: UInt8(ascii: "_")).map { SchemaName(bytes: Array(bytes[..<$0])) }
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  /// The name of the same table that is kept for a virtual table with another name.
  func renamed(from owner: SchemaName, to later: SchemaName) -> SchemaName {
    SchemaName(bytes: later.bytes + bytes.dropFirst(owner.bytes.count))
  }

  func hasSuffix(_ suffix: String) -> Bool { bytes.reversed().starts(with: suffix.utf8.reversed()) }
}

import ExhibitCSQLite
import ExhibitSQLite
import ReportModel

/// Functions that an untrusted schema may use beside SQLite's innocuous ones.
///
/// SQLite 3.40 does not count JSON functions as innocuous and refuses databases that use them in generated columns or
/// indexes. Its only switch, SQLITE_DBCONFIG_TRUSTED_SCHEMA, can be on if a schema uses no other functions.
struct SchemaFunctions {
  /// They read a text once.
  ///
  /// `json_set` and `json_insert` overflow the stack for long paths, and `json_patch` takes hours without interruption
  /// for large patches.
  static let allowed: Set<String> = [
    "json", "json_array", "json_array_length", "json_extract", "json_object", "json_quote", "json_type",
    "json_valid", "->", "->>",
  ]

  /// Names that only fail outside of search queries, and that tables may contain.
  ///
  /// Modules give them code; `fts5` needs a pointer, which SQL cannot make.
  static let powerless: Set<String> = [
    "bm25", "fts5", "highlight", "match", "matchinfo", "offsets", "optimize", "snippet",
  ]

  private static let mostBytes = 1_000_000
  private static let innocuous: Int64 = 0x20_0000

  /// In lower case; `nil` if a name is no word.
  private let refused: Set<String>?

  /// Reads the connection's list of functions.
  ///
  /// - Throws: `SQLiteError`.
  init(of handle: SQLiteHandle) throws(SQLiteError) {
    var names: Set<String> = []
    if let list = try SQLiteStatement("PRAGMA function_list", on: handle) {
      // Columns: name, builtin, type, enc, narg, flags.
      while try list.step() {
        guard list.integer(at: 5) & Self.innocuous == 0 else { continue }
        names.insert((list.text(at: 0) ?? "").lowercased())
      }
    }
    names.subtract(Self.allowed)
    names.subtract(Self.powerless)
    let areWords = names.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(\.isOfWord) }
    refused = areWords ? names : nil
  }

  /// True when a schema statement can only call harmless functions.
  ///
  /// All words are checked, even in comments and texts, so quoting does not matter.
  ///
  /// - Parameter statement: UTF-8 from `sqlite_schema`.
  func suffice(for statement: some Collection<UInt8>) -> Bool {
    if Self.unused.contains(where: { statement.starts(with: $0.utf8) }) { return true }
    guard let refused, statement.count <= Self.mostBytes else { return false }
    return statement.split { !$0.isOfWord }.allSatisfy {
      !refused.contains(String(decoding: $0, as: UTF8.self).lowercased())
    }
  }

  /// Views and triggers never run here.
  private static let unused = ["CREATE VIEW ", "CREATE TRIGGER "]
}

extension UInt8 {
  fileprivate var isOfWord: Bool { isLetter || isDigit || self == UInt8(ascii: "_") }
}

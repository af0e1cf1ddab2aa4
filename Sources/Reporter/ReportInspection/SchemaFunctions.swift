import ExhibitCSQLite
import ExhibitSQLite
import ReportModel

/// The functions that an untrusted schema may use, beside those that SQLite calls innocuous.
///
/// SQLite 3.40 does not call those of JSON so, and refuses the whole of a database with a generated column or an index of
/// them. It knows one switch for all functions only, SQLITE_DBCONFIG_TRUSTED_SCHEMA: it may be turned on for a schema that
/// names none of the others.
struct SchemaFunctions {
  /// The functions allowed: they read a text once.
  ///
  /// `json_set` and `json_insert` are not among them, which overflow the stack for a path of many steps, nor is
  /// `json_patch`, which takes hours for a patch of many keys in one step of SQLite, which nothing interrupts.
  static let allowed: Set<String> = [
    "json", "json_array", "json_array_length", "json_extract", "json_object", "json_quote", "json_type",
    "json_valid", "->", "->>",
  ]

  /// The functions that only fail outside a search index's query; tables may well be named or declared with them.
  ///
  /// All but `fts5` have no code before a module gives them one; `fts5` wants a pointer, which SQL cannot make.
  static let powerless: Set<String> = [
    "bm25", "fts5", "highlight", "match", "matchinfo", "offsets", "optimize", "snippet",
  ]

  /// Bytes of a statement that is looked at: SQLite itself takes no longer one.
  private static let mostBytes = 1_000_000
  private static let innocuous: Int64 = 0x20_0000

  /// In lower case; `nil` when one has a name that cannot be looked for.
  private let refused: Set<String>?

  /// Asks which functions a connection has, which reads nothing of its database.
  ///
  /// - Throws: `SQLiteError`.
  init(of handle: SQLiteHandle) throws(SQLiteError) {
    var names: Set<String> = []
    if let list = try SQLiteStatement("PRAGMA function_list", on: handle) {
      // The columns: name, builtin, type, enc, narg, flags.
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

  /// True when a schema's statement can call only functions that do no harm.
  ///
  /// Every word counts, also in comments and texts, so that it does not matter how SQL may quote a name.
  ///
  /// - Parameter statement: the statement's UTF-8, as it lies in `sqlite_schema`.
  func suffice(for statement: some Collection<UInt8>) -> Bool {
    if Self.unused.contains(where: { statement.starts(with: $0.utf8) }) { return true }
    guard let refused, statement.count <= Self.mostBytes else { return false }
    return statement.split { !$0.isOfWord }.allSatisfy {
      !refused.contains(String(decoding: $0, as: UTF8.self).lowercased())
    }
  }

  /// The beginnings, as SQLite writes them, of statements never run on our connections.
  private static let unused = ["CREATE VIEW ", "CREATE TRIGGER "]
}

extension UInt8 {
  /// True when it can be part of a function's name.
  fileprivate var isOfWord: Bool { isLetter || isDigit || self == UInt8(ascii: "_") }
}

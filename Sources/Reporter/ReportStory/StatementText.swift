import ReportModel

/// What can be told of a statement by its text alone.
struct StatementText: Sendable {
  enum Kind: Sendable, Equatable {
    case begin, commit, rollback
    case savepoint(String)
    case rollbackTo(String)
    case release(String)
    case select, insert, update, delete
    /// CREATE, of a `TABLE`, a `TRIGGER` and so on, with its name.
    case create(what: String, name: String)
    case drop(what: String, name: String)
    case alter(table: String)
    case vacuum
    /// PRAGMA, ATTACH and all else.
    case other
  }

  private(set) var kind = Kind.other
  /// The table that it writes.
  private(set) var target: String?
  /// The schemas that it names, folded to lower case.
  private(set) var qualifiers: Set<String> = []
  /// Whether it says which rows are meant.
  private(set) var isConditional = false
  /// Whether it names a table to read from.
  private(set) var readsTable = false
  /// Whether it asks for the schema itself, as libraries do.
  private(set) var readsSchema = false
  /// Whether libraries ask so for what they have to know of a database, or set how they use it.
  private(set) var isHousekeeping = false
  /// Whether it makes a virtual table.
  private(set) var isVirtual = false
  /// Of CREATE TABLE and ALTER TABLE … ADD: the columns that it names.
  private(set) var columns: [String] = []
  /// Of CREATE TRIGGER: the tables that its program writes.
  private(set) var written: [String] = []

  init(_ sql: String) {
    let tokens = SQLToken.all(in: sql)
    for (index, token) in tokens.enumerated() where token.isName {
      if tokens[safe: index + 1]?.text == "." { qualifiers.insert((token.name ?? "").lowercased()) }
      let word = token.folded
      if word == "WHERE" || word == "CONFLICT" || word == "IGNORE" || word == "FROM" { isConditional = true }
      if word == "FROM" { readsTable = true }
      if word.hasPrefix("SQLITE_") || word.hasPrefix("PRAGMA_") { readsSchema = true }
    }
    (kind, target) = Self.meaning(of: tokens)
    isHousekeeping = Self.isHousekeeping(tokens, isSelect: kind == .select)
    switch kind {
    case .delete, .update: isConditional = tokens.contains { $0.folded == "WHERE" && !$0.isQuoted }
    case .create("TABLE", _):
      isVirtual = tokens[safe: 1]?.folded == "VIRTUAL"
      columns = Self.columns(tokens)
    case .alter: columns = Self.addedColumn(tokens).map { [$0] } ?? []
    case .create("TRIGGER", _): written = Self.targets(inProgram: tokens)
    default: break
    }
  }

  /// The same text is taken apart once.
  static func all(of steps: [RecordedStory.Step]) -> [StatementText] {
    var known: [String: StatementText] = [:]
    return steps.map { step in
      if let text = known[step.sql] { return text }
      let text = StatementText(step.sql)
      known[step.sql] = text
      return text
    }
  }

  /// Whether it is one that changes rows.
  var isWrite: Bool { kind == .insert || kind == .update || kind == .delete }

  private static func meaning(of tokens: [SQLToken]) -> (Kind, String?) {
    let words = tokens.prefix(8).map(\.folded)
    func name(_ index: Int) -> String { tokens[safe: index]?.name ?? "" }
    switch words.first {
    case "BEGIN": return (.begin, nil)
    case "COMMIT", "END": return (.commit, nil)
    case "ROLLBACK":
      guard let to = words.firstIndex(of: "TO") else { return (.rollback, nil) }
      return (.rollbackTo(name(words[safe: to + 1] == "SAVEPOINT" ? to + 2 : to + 1).lowercased()), nil)
    case "SAVEPOINT": return (.savepoint(name(1).lowercased()), nil)
    case "RELEASE": return (.release(name(words[safe: 1] == "SAVEPOINT" ? 2 : 1).lowercased()), nil)
    case "SELECT", "VALUES": return (.select, nil)
    case "VACUUM": return (.vacuum, nil)
    case "CREATE", "DROP": return (schemaChange(tokens), nil)
    case "ALTER": return (.alter(table: tableName(tokens, at: 2) ?? ""), nil)
    case "INSERT", "REPLACE", "UPDATE", "DELETE": return write(tokens, at: 0)
    case "WITH": return behindWith(tokens)
    default: return (.other, nil)
    }
  }

  private static let constraints: Set = ["CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "FOREIGN"]

  /// The first names behind the parenthesis and behind each comma in it.
  private static func columns(_ tokens: [SQLToken]) -> [String] {
    guard let start = tokens.firstIndex(where: { $0.text == "(" }),
      !tokens[..<start].contains(where: { $0.folded == "AS" })
    else { return [] }
    var (depth, columns): (Int, [String]) = (0, [])
    for index in tokens.indices[start...] {
      if tokens[index].text == "(" { depth += 1 }
      if tokens[index].text == ")" { depth -= 1 }
      if depth == 0 { break }
      guard depth == 1, tokens[index].text == "," || index == start, let next = tokens[safe: index + 1],
        !constraints.contains(next.folded), let name = next.name
      else { continue }
      columns.append(name)
    }
    return columns
  }

  /// Of `ALTER TABLE … ADD COLUMN`.
  private static func addedColumn(_ tokens: [SQLToken]) -> String? {
    guard let add = tokens.prefix(6).firstIndex(where: { $0.folded == "ADD" }) else { return nil }
    return tokens[safe: tokens[safe: add + 1]?.folded == "COLUMN" ? add + 2 : add + 1]?.name
  }

  private static let housekeepingPragmas: Set = [
    "DATABASE_LIST", "FOREIGN_KEY_LIST", "INDEX_INFO", "INDEX_LIST", "INDEX_XINFO", "QUERY_ONLY",
    "SCHEMA_VERSION",
    "TABLE_INFO", "TABLE_LIST", "TABLE_XINFO",
  ]

  /// The look-ups that GRDB makes; an app's own question for the schema may be what its test is about.
  private static let schemaLookups: Set = [
    "SELECT * FROM SQLITE_MASTER LIMIT", "SELECT TYPE , NAME , TBL_NAME , SQL FROM SQLITE_MASTER",
    "SELECT TYPE , NAME , TBL_NAME , SQL FROM SQLITE_TEMP_MASTER",
  ]

  private static func isHousekeeping(_ tokens: [SQLToken], isSelect: Bool) -> Bool {
    if tokens.first?.folded == "PRAGMA" {
      let name = tokens[safe: tokens[safe: 2]?.text == "." ? 3 : 1]?.folded ?? ""
      let isQuestion = !tokens.contains { $0.text == "=" || $0.text == "(" }
      return housekeepingPragmas.contains(name) || name == "FOREIGN_KEYS" && isQuestion
    }
    guard isSelect, tokens.count < 16 else { return false }
    return tokens.contains { $0.name?.hasPrefix("grdb_") ?? false }
      || schemaLookups.contains(tokens.map { $0.text.uppercased() }.joined(separator: " "))
  }

  private static func behindWith(_ tokens: [SQLToken]) -> (Kind, String?) {
    var depth = 0
    for (index, token) in tokens.enumerated() {
      if token.text == "(" { depth += 1 }
      if token.text == ")" { depth -= 1 }
      guard depth == 0, !token.isQuoted else { continue }
      switch token.folded {
      case "SELECT", "VALUES": return (.select, nil)
      case "INSERT", "REPLACE", "UPDATE", "DELETE": return write(tokens, at: index)
      default: continue
      }
    }
    return (.other, nil)
  }

  private static func write(_ tokens: [SQLToken], at index: Int) -> (Kind, String?) {
    switch tokens[index].folded {
    case "UPDATE":
      let isOr = tokens[safe: index + 1]?.folded == "OR"
      return (.update, tableName(tokens, at: index + (isOr ? 3 : 1)))
    case "DELETE": return (.delete, tableName(tokens, at: index + 2))
    default:
      let into = tokens[index...].prefix(4).firstIndex { $0.folded == "INTO" }
      return (.insert, into.flatMap { tableName(tokens, at: $0 + 1) })
    }
  }

  /// A name, without the schema before it.
  private static func tableName(_ tokens: [SQLToken], at index: Int) -> String? {
    tokens[safe: index + 1]?.text == "." ? tokens[safe: index + 2]?.name : tokens[safe: index]?.name
  }

  private static func schemaChange(_ tokens: [SQLToken]) -> Kind {
    var index = 1
    while ["TEMP", "TEMPORARY", "UNIQUE", "VIRTUAL"].contains(tokens[safe: index]?.folded) { index += 1 }
    let what = tokens[safe: index]?.folded ?? ""
    index += 1
    while ["IF", "NOT", "EXISTS"].contains(tokens[safe: index]?.folded) { index += 1 }
    let name = tableName(tokens, at: index) ?? ""
    return tokens[0].folded == "CREATE" ? .create(what: what, name: name) : .drop(what: what, name: name)
  }

  private static func targets(inProgram tokens: [SQLToken]) -> [String] {
    guard let begin = tokens.firstIndex(where: { $0.folded == "BEGIN" && !$0.isQuoted }) else { return [] }
    var targets: [String] = []
    for index in tokens.indices where index > begin {
      // A statement begins behind BEGIN or a semicolon.
      guard index == begin + 1 || tokens[index - 1].text == ";",
        ["INSERT", "REPLACE", "UPDATE", "DELETE"].contains(tokens[index].folded),
        let target = write(tokens, at: index).1
      else { continue }
      targets.append(target)
    }
    return targets
  }

  /// What the trace calls a write through `sqlite3_blob`, which no statement makes.
  private static let blobWrite = "-- sqlite3_blob_write"

  /// The statement with a `?` in the place of every literal, and without comments.
  ///
  /// - Parameter names: Of tables, columns and the like in lower case: what stands in double quotes and is none of them
  ///   SQLite takes for a text.
  static func withoutLiterals(_ sql: String, names: Set<String>) -> String {
    if sql == blobWrite { return sql }
    var text = ""
    var end = sql.utf8.startIndex
    for literal in SQLToken.literals(in: sql, names: names) {
      text += sql[end..<literal.place.lowerBound]
      end = literal.place.upperBound
      if !literal.isComment {
        text += "?"
      } else if text.last?.isWhitespace == false, end < sql.endIndex, !sql[end].isWhitespace {
        text += " "
      }
    }
    return (text + sql[end...]).trimmed
  }
}

extension Array {
  subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}

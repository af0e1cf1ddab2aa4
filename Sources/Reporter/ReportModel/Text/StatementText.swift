/// What a statement's text alone tells.
package struct StatementText: Sendable {
  package enum Kind: Sendable, Equatable {
    case begin, commit, rollback
    case savepoint(String)
    case rollbackTo(String)
    case release(String)
    case select, insert, update, delete
    /// `what` is `TABLE`, `TRIGGER` and so on.
    case create(what: String, name: String)
    case drop(what: String, name: String)
    case alter(table: String)
    case vacuum
    case other
  }

  package private(set) var kind = Kind.other
  package private(set) var target: String?
  package private(set) var names: Set<String> = []
  /// Schemas that it names, in lower case.
  package private(set) var qualifiers: Set<String> = []
  /// It may change no row.
  package private(set) var isConditional = false
  package private(set) var readsTable = false
  package private(set) var readsSchema = false
  /// Libraries ask so about a database, or configure their use of it.
  package private(set) var isHousekeeping = false
  package private(set) var isPragma = false
  /// A SELECT, or a PRAGMA that sets nothing.
  package private(set) var isRead = false
  package private(set) var isVirtual = false
  package private(set) var columns: [String] = []
  package private(set) var schema: String?
  package private(set) var isTemporary = false
  /// IF EXISTS or IF NOT EXISTS.
  package private(set) var isTentative = false
  /// CREATE TABLE … AS.
  package private(set) var hasRows = false
  package private(set) var newName: String?
  /// The table of a CREATE TRIGGER or CREATE INDEX.
  package private(set) var subject: String?
  package private(set) var writesFile = false
  /// The text by which `sqlite3_deserialize` shows; an app cannot attach `main`.
  package private(set) var isDeserialization = false
  /// INSERT OR FAIL and UPDATE OR FAIL keep the rows before the failing one.
  package private(set) var keepsRowsOfFailure = false
  package private(set) var trigger: TriggerProgram?

  /// `UPDATE invoice`.
  package var name: String {
    let verb =
      switch kind {
      case .insert: "INSERT"
      case .update: "UPDATE"
      case .delete: "DELETE"
      default: ""
      }
    return [verb, target ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
  }

  package init(_ sql: String) {
    let tokens = SQLToken.all(in: sql)
    for (index, token) in tokens.enumerated() where token.isName {
      if let name = token.name { names.insert(name.lowercased()) }
      if tokens[safe: index + 1]?.text == "." { qualifiers.insert((token.name ?? "").lowercased()) }
      let word = token.folded
      if word == "WHERE" || word == "CONFLICT" || word == "IGNORE" || word == "FROM" { isConditional = true }
      if word == "FROM" { readsTable = true }
      if word.hasPrefix("SQLITE_") || word.hasPrefix("PRAGMA_") { readsSchema = true }
    }
    (kind, target) = Self.meaning(of: tokens)
    isHousekeeping = Self.isHousekeeping(tokens, isSelect: kind == .select)
    isPragma = tokens.first?.folded == "PRAGMA"
    isRead = kind == .select || isPragma && !tokens.contains { $0.text == "=" }
    switch kind {
    case .delete, .update: isConditional = tokens.contains { $0.folded == "WHERE" && !$0.isQuoted }
    case .create("TABLE", _):
      isVirtual = tokens[safe: 1]?.folded == "VIRTUAL"
      columns = Self.columns(tokens)
    case .alter: columns = Self.addedColumn(tokens).map { [$0] } ?? []
    case .create("TRIGGER", _): trigger = TriggerProgram(tokens)
    case .vacuum:
      schema = tokens[safe: 1]?.name
      writesFile = tokens.dropFirst().prefix(2).contains { $0.folded == "INTO" }
    case .other: isDeserialization = tokens.map(\.text) == ["ATTACH", "x", "AS", "'main'"]
    default: break
    }
    noteObject(tokens)
  }

  /// In lower case.
  package static func tables(in sql: String) -> Set<String> {
    let tokens = SQLToken.all(in: sql)
    return Set(
      tokens.indices.filter {
        tokens[$0].isName && !tokens[$0].isQuoted
          && ["FROM", "JOIN", "INTO", "UPDATE"].contains(tokens[$0].folded)
      }.flatMap { tables(tokens, at: $0 + 1) })
  }

  private static func tables(_ tokens: [SQLToken], at start: Int) -> [String] {
    var tables: [String] = []
    var place = start
    while let name = tableName(tokens, at: place), tokens[safe: place]?.isName == true {
      tables.append(name.lowercased())
      place += tokens[safe: place + 1]?.text == "." ? 3 : 1
      guard let comma = (place...place + 2).first(where: { tokens[safe: $0]?.text == "," }),
        tokens[place..<comma].allSatisfy(\.isName)
      else { break }
      place = comma + 1
    }
    return tables
  }

  private mutating func noteObject(_ tokens: [SQLToken]) {
    switch kind {
    case .create, .drop, .alter: break
    case .insert, .update:
      keepsRowsOfFailure = zip(tokens, tokens.dropFirst()).contains {
        $0.folded == "OR" && $1.folded == "FAIL"
      }
      return
    default: return
    }
    let object = Self.object(tokens)
    (isTemporary, isTentative) = (object.isTemporary, object.isTentative)
    let isQualified = tokens[safe: object.index + 1]?.text == "."
    if isQualified { schema = tokens[safe: object.index]?.name }
    let end = object.index + (isQualified ? 3 : 1)
    hasRows = object.what == "TABLE" && tokens[safe: end]?.folded == "AS"
    if case .create(let what, _) = kind, what == "TRIGGER" || what == "INDEX" {
      // A cut text may end before it.
      subject = tokens.dropFirst(end).firstIndex { $0.folded == "ON" }
        .flatMap { Self.tableName(tokens, at: $0 + 1) }
    }
    if case .alter = kind, tokens[safe: end]?.folded == "RENAME", tokens[safe: end + 1]?.folded == "TO" {
      newName = tokens[safe: end + 2]?.name
    }
  }

  package static func all(of statements: some Sequence<String>) -> [StatementText] {
    var known: [String: StatementText] = [:]
    return statements.map { sql in
      if let text = known[sql] { return text }
      let text = StatementText(sql)
      known[sql] = text
      return text
    }
  }

  package var isWrite: Bool { kind == .insert || kind == .update || kind == .delete }

  package var changesSchema: Bool {
    switch kind {
    case .create, .drop, .alter: true
    default: false
    }
  }

  package var controlsTransaction: Bool {
    switch kind {
    case .begin, .commit, .rollback, .savepoint, .rollbackTo, .release: true
    default: false
    }
  }

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

  private static func addedColumn(_ tokens: [SQLToken]) -> String? {
    guard let add = tokens.prefix(6).firstIndex(where: { $0.folded == "ADD" }) else { return nil }
    return tokens[safe: tokens[safe: add + 1]?.folded == "COLUMN" ? add + 2 : add + 1]?.name
  }

  private static let housekeepingPragmas: Set = [
    "DATABASE_LIST", "FOREIGN_KEY_LIST", "INDEX_INFO", "INDEX_LIST", "INDEX_XINFO", "QUERY_ONLY",
    "SCHEMA_VERSION",
    "TABLE_INFO", "TABLE_LIST", "TABLE_XINFO",
  ]

  /// GRDB's look-ups; an app's own may be what its test is about.
  private static let schemaLookups: Set = [
    "SELECT * FROM SQLITE_MASTER LIMIT", "SELECT TYPE , NAME , TBL_NAME , SQL FROM SQLITE_MASTER",
    "SELECT TYPE , NAME , TBL_NAME , SQL FROM SQLITE_TEMP_MASTER",
  ]

  private static func isHousekeeping(_ tokens: [SQLToken], isSelect: Bool) -> Bool {
    // Modules such as FTS5 quote the schema so in their statements.
    let isOfModule = zip(tokens, tokens.dropFirst()).contains { $0.text.hasPrefix("'") && $1.text == "." }
    if isOfModule, isSelect || tokens.first?.folded == "PRAGMA" { return true }
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
    let outside = tokens.outside
    let verbs = ["SELECT", "VALUES", "INSERT", "REPLACE", "UPDATE", "DELETE"]
    guard let index = outside.firstIndex(where: { verbs.contains($0.folded) }) else { return (.other, nil) }
    let isSelect = ["SELECT", "VALUES"].contains(outside[index].folded)
    return isSelect ? (.select, nil) : write(outside, at: index)
  }

  static func write(_ tokens: [SQLToken], at index: Int) -> (Kind, String?) {
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

  private static func tableName(_ tokens: [SQLToken], at index: Int) -> String? {
    tokens[safe: index + 1]?.text == "." ? tokens[safe: index + 2]?.name : tokens[safe: index]?.name
  }

  private static func schemaChange(_ tokens: [SQLToken]) -> Kind {
    let object = object(tokens)
    let name = tableName(tokens, at: object.index) ?? ""
    return tokens[0].folded == "CREATE"
      ? .create(what: object.what, name: name) : .drop(what: object.what, name: name)
  }

  private static func object(
    _ tokens: [SQLToken]
  ) -> (what: String, isTemporary: Bool, isTentative: Bool, index: Int) {
    var index = 1
    var isTemporary = false
    while let word = tokens[safe: index]?.folded, ["TEMP", "TEMPORARY", "UNIQUE", "VIRTUAL"].contains(word) {
      isTemporary = isTemporary || word.hasPrefix("TEMP")
      index += 1
    }
    let what = tokens[safe: index]?.folded ?? ""
    index += 1
    let isTentative = tokens[safe: index]?.folded == "IF"
    while ["IF", "NOT", "EXISTS"].contains(tokens[safe: index]?.folded) { index += 1 }
    return (what, isTemporary, isTentative, index)
  }

  /// Stands in the trace for a write through `sqlite3_blob`.
  private static let blobWrite = "-- sqlite3_blob_write"

  /// Has a `?` for every literal, and no comments.
  ///
  /// - Parameter names: Known names in lower case; others in double quotes are texts.
  package static func withoutLiterals(_ sql: String, names: Set<String>) -> String {
    sql == blobWrite ? sql : without(SQLToken.literals(in: sql, names: names), in: sql)
  }

  package static func withoutComments(_ sql: String) -> String {
    without(SQLToken.literals(in: sql, names: []).filter(\.isComment), in: sql)
  }

  private static func without(_ literals: [SQLToken.Literal], in sql: String) -> String {
    var text = ""
    var end = sql.utf8.startIndex
    for literal in literals {
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
  package subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}

extension [String] {
  package func columnName(_ index: Int) -> String { self[safe: index] ?? "column \(index + 1)" }
}

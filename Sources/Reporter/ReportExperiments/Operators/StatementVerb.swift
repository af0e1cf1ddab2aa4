import ReportModel

/// The kind of a statement.
enum StatementVerb: Sendable {
  case select, insert, update, delete
  case table, index, trigger, view
  case drop, alter
  case begin, savepoint, commit, rollback, rollbackTo
  /// RELEASE, PRAGMA, ATTACH and others.
  case other

  init(_ tokens: [StatementToken]) {
    switch tokens.first?.folded {
    case "SELECT", "VALUES": self = .select
    case "WITH": self = Self.behindWith(tokens)
    case "INSERT", "REPLACE": self = .insert
    case "UPDATE": self = .update
    case "DELETE": self = .delete
    case "CREATE": self = Self.made(tokens)
    case "DROP": self = .drop
    case "ALTER": self = .alter
    case "BEGIN": self = .begin
    case "SAVEPOINT": self = .savepoint
    case "COMMIT", "END": self = .commit
    case "ROLLBACK": self = tokens.contains { $0.folded == "TO" } ? .rollbackTo : .rollback
    default: self = .other
    }
  }

  private static func made(_ tokens: [StatementToken]) -> StatementVerb {
    let modifiers: Set = ["TEMP", "TEMPORARY", "UNIQUE"]
    switch tokens.dropFirst().first(where: { !modifiers.contains($0.folded) })?.folded {
    case "TABLE": return .table
    case "INDEX": return .index
    case "TRIGGER": return .trigger
    case "VIEW": return .view
    default: return .other
    }
  }

  /// The first verb outside of parentheses.
  private static func behindWith(_ tokens: [StatementToken]) -> StatementVerb {
    let verbs = ["SELECT", "VALUES", "INSERT", "REPLACE", "UPDATE", "DELETE"]
    var depth = 0
    for index in tokens.indices {
      if tokens[index].text == "(" { depth += 1 }
      if tokens[index].text == ")" { depth -= 1 }
      if depth == 0, verbs.contains(tokens[index].folded) { return StatementVerb([tokens[index]]) }
    }
    return .other
  }
}

extension ParsedStatement {
  /// The lower-case table of a CREATE INDEX or TRIGGER.
  var subject: String {
    guard verb == .index || verb == .trigger,
      let on = tokens.indices.first(where: { word($0) == "ON" && brackets.openers[$0] < 0 })
    else { return "" }
    let name = text(on + 2) == "." ? on + 3 : on + 1
    return tokens[safe: name]?.name.lowercased() ?? ""
  }
}

import Foundation
package import ReportInspection
import ReportModel

/// Schemas for readers who may not see values: names and types stay, literals and comments go.

extension DatabaseInspection {
  /// The names that its statements use, in lower case.
  package var names: Set<String> {
    ReportStory.names(of: objects).union(tables.flatMap(\.columns).map { $0.lowercased() })
  }

  package mutating func removeLiterals(names: Set<String>) {
    for index in tables.indices {
      tables[index].withheld = tables[index].sql?.hashValue
      tables[index].sql = tables[index].sql.map { StatementText.withoutLiterals($0, names: names) }
      tables[index].problem = tables[index].problem.map(withoutQuotedSQL)
    }
    for index in otherSchema.indices {
      otherSchema[index].withheld = otherSchema[index].sql?.hashValue
      otherSchema[index].sql = otherSchema[index].sql.map { StatementText.withoutLiterals($0, names: names) }
    }
    check = withoutQuotedSQL(check)
    problems = problems.map(withoutQuotedSQL)
    foreignKeys.problems = foreignKeys.problems.map(withoutQuotedSQL)
  }
}

/// The names of a schema's objects, and of the columns that its tables declare, in lower case.
package func names(of schema: [DatabaseInspection.SchemaEntry]) -> Set<String> {
  Set(
    schema.flatMap { entry in
      [entry.name, entry.table] + (entry.sql.map { StatementText($0).columns } ?? [])
    }.map { $0.lowercased() })
}

extension [SchemaChange] {
  package mutating func removeLiterals(names: Set<String>) {
    for index in indices {
      self[index].before = self[index].before.map { StatementText.withoutLiterals($0, names: names) }
      self[index].after = self[index].after.map { StatementText.withoutLiterals($0, names: names) }
    }
  }
}

extension DatabaseChanges {
  package mutating func removeLiterals(names: Set<String>) {
    schema.removeLiterals(names: names)
    problems = problems.map(withoutQuotedSQL)
    for index in tables.indices { tables[index].problem = tables[index].problem.map(withoutQuotedSQL) }
  }
}

extension DatabaseFindings {
  package mutating func removeLiterals() {
    unexamined = unexamined.map(withoutQuotedSQL)
  }
}

extension WALHistory {
  package mutating func removeLiterals(names: Set<String>) {
    for index in transactions.indices { transactions[index].removeLiterals(names: names) }
    net.removeLiterals(names: names)
    problems = problems.map(withoutQuotedSQL)
  }
}

extension WALHistory.Transaction {
  fileprivate mutating func removeLiterals(names: Set<String>) {
    for index in tables.indices {
      tables[index].sql = tables[index].sql.map { StatementText.withoutLiterals($0, names: names) }
      tables[index].problem = tables[index].problem.map(withoutQuotedSQL)
    }
    declarations.removeLiterals(names: names)
  }
}

/// A sentence in which SQLite quotes nothing of a statement, which it does of one that it cannot parse.
package func withoutQuotedSQL(_ sentence: String) -> String {
  ["near ", "unrecognized token: ", "no such column: "].reduce(sentence) { text, words in
    guard let start = text.range(of: words + "\"")?.upperBound else { return text }
    let end = text[start...].lastIndex(of: "\"") ?? text.endIndex
    return text[..<start] + "?" + text[end...]
  }
}

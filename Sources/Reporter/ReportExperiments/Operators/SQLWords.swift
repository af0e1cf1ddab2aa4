import ReportModel

/// Words of SQL.
enum SQLWords {
  /// Keywords that are hardly column names.
  static let reserved: Set<String> = [
    "ALL", "AND", "AS", "ASC", "BETWEEN", "BY", "CASE", "CAST", "CHECK", "COLLATE", "CREATE", "CROSS",
    "CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP", "DEFAULT", "DELETE", "DESC", "DISTINCT", "ELSE",
    "END",
    "ESCAPE", "EXCEPT", "EXISTS", "FALSE", "FILTER", "FROM", "FULL", "GLOB", "GROUP", "HAVING", "IN",
    "INDEXED",
    "INNER", "INSERT", "INTERSECT", "INTO", "IS", "ISNULL", "JOIN", "LEFT", "LIKE", "LIMIT", "MATCH",
    "NATURAL",
    "NOT", "NOTNULL", "NULL", "OFFSET", "ON", "OR", "ORDER", "OUTER", "OVER", "RECURSIVE", "REGEXP",
    "REPLACE",
    "RETURNING", "RIGHT", "SELECT", "SET", "TABLE", "THEN", "TRUE", "UNION", "UNIQUE", "UPDATE", "USING",
    "VALUES", "WHEN", "WHERE", "WINDOW", "WITH",
  ]

  static let comparisons: Set<String> = ["=", "==", "<>", "!=", "<", "<=", ">", ">="]

  /// SQLite's aggregates but the newest; sets elsewhere are parts of this one.
  static let aggregates: Set<String> = ["SUM", "TOTAL", "AVG", "COUNT", "MIN", "MAX", "GROUP_CONCAT"]

  /// A name, quoted if needed.
  static func name(_ name: String) -> String {
    let isSimple =
      name.utf8.first.map { !$0.isDigit && $0.isWord } ?? false
      && name.utf8.allSatisfy { $0.isWord && $0 < 0x80 }
    if isSimple, !reserved.contains(name.uppercased()), !others.contains(name.uppercased()) { return name }
    return "\"" + name.replacing("\"", with: "\"\"") + "\""
  }

  /// Keywords with a meaning in some places.
  private static let others: Set<String> = [
    "ADD", "ALTER", "COMMIT", "CONSTRAINT", "DROP", "FOREIGN", "INDEX", "KEY", "ON", "PRIMARY", "REFERENCES",
    "TO",
    "TRANSACTION", "ROWS", "RANGE", "GROUPS", "OFFSET", "ROWID", "DO", "NOTHING", "OF",
  ]
}

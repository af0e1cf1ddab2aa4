import Testing

@testable import ReportExperiments

/// What one operator makes of a statement: the variants with their words, and no others.
struct OperatorCase: Sendable, CustomTestStringConvertible {
  var name: String
  var sql: String
  var made: [[String]]

  init(_ name: String, _ sql: String, _ made: (String, String)...) {
    (self.name, self.sql, self.made) = (name, sql, made.map { [$0.0, $0.1] })
  }

  var testDescription: String { sql }

  /// Compares with what the operator makes.
  func check(sourceLocation: SourceLocation = #_sourceLocation) {
    let variants = StatementOperators.variants(of: sql, in: Self.context).filter { $0.operatorName == name }
    #expect(variants.map { [$0.sql, $0.words] } == made, sourceLocation: sourceLocation)
  }

  private typealias Column = OperatorContext.Column

  /// The tables of an app that lends things.
  static let context = OperatorContext(
    tables: [
      "member": [
        Column(name: "id", isNumeric: true, isKey: true), Column(name: "name", collectsTexts: true),
        Column(name: "mail", collectsTexts: true), Column(name: "deleted_at", collectsTexts: true),
        Column(name: "level", isNumeric: true),
      ],
      "loan": [
        Column(name: "id", isNumeric: true, isKey: true), Column(name: "member_id", isNumeric: true),
        Column(name: "item_id", isNumeric: true), Column(name: "starts_at", collectsTexts: true),
        Column(name: "ends_at", collectsTexts: true), Column(name: "returned", isNumeric: true),
      ],
      "fee": [
        Column(name: "loan_id", isNumeric: true, isKey: true),
        Column(name: "kind", isKey: true, collectsTexts: true), Column(name: "cents", isNumeric: true),
      ],
      "item": [
        Column(name: "id", isNumeric: true, isKey: true), Column(name: "title", collectsTexts: true),
        Column(name: "price", isNumeric: true), Column(name: "stock", isNumeric: true),
      ],
      "visit": [
        Column(name: "id", isNumeric: true, isKey: true), Column(name: "began", isNumeric: true),
        Column(name: "utc_offset", isNumeric: true),
      ],
      "item_old": [
        Column(name: "title", collectsTexts: true), Column(name: "id", isNumeric: true),
        Column(name: "price", isNumeric: true),
      ],
    ],
    statements: [
      "SELECT * FROM loan l WHERE l.returned = 0 AND l.item_id IS NOT NULL AND starts_at < ?",
      "INSERT INTO member(name, level, deleted_at) VALUES (?, 3, NULL)",
    ])
}

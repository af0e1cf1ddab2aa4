import Testing

@testable import ReportExperiments

/// Texts that nobody means as a statement end quickly and without a crash.
@Suite struct HostileTextTests {
  /// What does not end quickly takes hours; others keep the processors busy meanwhile.
  private static let limit = Duration.seconds(120)

  private func variants(_ sql: String, _ context: OperatorContext = OperatorContext()) -> [StatementVariant] {
    var found: [StatementVariant] = []
    let time = ContinuousClock().measure { found = StatementOperators.variants(of: sql, in: context) }
    #expect(time < Self.limit, "\(time) for \(sql.prefix(40))")
    return found
  }

  private static let units = [
    "(", ")", "'", "\"", "`", "[", "/*", "*/", "--", "-- \n", "AND a ", "OR a ", "CASE ", "END ", "CASE END ",
    "? ", "?1 ",
    ":a ", "< ", "= ", "(a<", "a<b,", "a=b,", "NOT ", "BETWEEN ", "SELECT ", "(SELECT ", "SELECT (",
    "UNION SELECT a<b ",
    "WHERE a<b ", "FROM t,", "JOIN t ON a=b ", "ON CONFLICT DO UPDATE SET a=b ", "BEGIN ", ";", "\0", "é",
    "\u{301}",
    "x'", "1e", "a.", ".", "a OR (b AND ", "COALESCE(", "SUM(a*", "ORDER BY a,", "x IN (", "a LIKE '%'||",
    "LIMIT ?,",
  ]

  private static let heads = [
    "", "SELECT a FROM t WHERE ", "UPDATE t SET ", "INSERT INTO t(a, b) VALUES (", "CREATE TABLE t (",
    "CREATE TRIGGER a AFTER UPDATE ON t BEGIN UPDATE t SET ", "CREATE INDEX i ON t (",
  ]

  @Test(arguments: units) func aMillionBytesHaveNone(unit: String) {
    #expect(variants(String(repeating: unit, count: 1_048_576 / unit.utf8.count)).isEmpty)
  }

  @Test(arguments: units, ["SELECT a FROM t WHERE ", "UPDATE t SET "]) func theLongestTextsEndQuickly(
    unit: String, head: String
  ) {
    let count = (ParsedStatement.longest - 200) / unit.utf8.count
    _ = variants(head + String(repeating: unit, count: count))
    guard unit.contains("(") else { return }
    _ = variants(
      head + String(repeating: unit, count: count / 3) + "a" + String(repeating: ")", count: count / 3))
  }

  @Test(arguments: StatementCorpus.all) func statementsThatBreakOff(sql: String) {
    let bytes = Array(sql.utf8)
    let context = OperatorContext(
      tables: ["loan": [.init(name: "id", isNumeric: true, isKey: true), .init(name: "ends_at")]])
    for end in 0..<bytes.count {
      _ = variants(String(decoding: bytes[..<end], as: UTF8.self), context)
      if end % 16 == 0 { _ = variants(String(decoding: bytes[end...], as: UTF8.self), context) }
    }
  }

  @Test(arguments: 0..<40) func tokensInAnyOrder(seed: Int) {
    var random = SplitMix(state: UInt64(seed))
    let tokens =
      StatementCorpus.all.flatMap { StatementToken.all(in: $0).map { String($0.text) } } + Self.units
    for _ in 0..<40 {
      let count = Int.random(in: 1..<60, using: &random)
      let soup = (0..<count).map { _ in tokens.randomElement(using: &random) ?? "" }.joined(separator: " ")
      let head = Self.heads.randomElement(using: &random) ?? ""
      for variant in variants(head + soup).prefix(3) {
        _ = StatementOperators.seconds(of: variant, in: OperatorContext())
      }
    }
  }

  @Test func statementsOfTheContextMayBeHostileToo() {
    let soups = Self.units.map { String(repeating: $0, count: 10_000 / $0.utf8.count) }
    let time = ContinuousClock().measure { _ = OperatorContext(statements: soups + StatementCorpus.all) }
    #expect(time < Self.limit)
  }
}

/// The same numbers for the same seed.
private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}

import Testing

@testable import ReportExperiments

/// What holds for each variant of each statement.
@Suite struct PropertyTests {
  private let database: MemoryDatabase
  private let context: OperatorContext

  init() throws {
    database = try MemoryDatabase(StatementCorpus.schema)
    context = try database.context(StatementCorpus.all)
  }

  private static let questions = StatementCorpus.reads + StatementCorpus.writes

  /// The tokens before each value, and the value.
  private func places(_ expanded: String) -> Set<[String]> {
    let tokens = StatementToken.all(in: expanded).map { String($0.text) }
    return Set(
      tokens.indices.filter { $0 > 1 && tokens[$0].hasPrefix("'p") }.map {
        [tokens[$0 - 2], tokens[$0 - 1], tokens[$0]]
      })
  }

  @Test(arguments: questions) func parametersAndColumnsStay(sql: String) throws {
    let form = try database.form(of: sql)
    let places = places(form.expanded)
    let known = Set(places.map { $0.dropLast() })
    for variant in StatementOperators.variants(of: sql, in: context) {
      guard let other = try? database.form(of: variant.sql) else { continue }
      let numbered = form.parameters.enumerated().map { $1 ?? "?\($0 + 1)" }
      #expect(
        other.parameters.enumerated().allSatisfy {
          $1 == form.parameters[$0] || $1 ?? numbered[$0] == numbered[$0]
        }
          && other.parameters.count == form.parameters.count, "\(variant.sql)")
      #expect(other.columns == form.columns, "\(variant.sql)")
      for place in self.places(other.expanded) where known.contains(place.dropLast()) {
        #expect(places.contains(place), "\(variant.sql)")
      }
    }
  }

  @Test(arguments: StatementCorpus.all) func variantsAreDistinctAndOthers(sql: String) {
    let variants = StatementOperators.variants(of: sql, in: context)
    #expect(Set(variants.map(\.sql)).count == variants.count)
    #expect(!variants.contains { $0.sql == sql })
    #expect(variants.count <= StatementOperators.most)
    #expect(variants.map(\.rank) == variants.map(\.rank).sorted())
    #expect(variants == StatementOperators.variants(of: sql, in: context))
    for variant in variants {
      #expect(!variant.sql.hasSuffix(";") && !variant.words.isEmpty && (0...4).contains(variant.rank))
    }
  }

  @Test(arguments: questions) func wordsWithoutLiteralsHaveNone(sql: String) {
    let literals = StatementToken.all(in: sql).filter { $0.kind == .text && $0.text.count > 4 }.map(\.text)
    for variant in StatementOperators.variants(of: sql, in: context) {
      for literal in literals { #expect(!variant.bare.contains(literal), "\(variant.bare)") }
    }
  }

  @Test func mostVariantsAreAccepted() throws {
    var (all, refused) = (0, [String: Int]())
    for sql in Self.questions {
      for variant in StatementOperators.variants(of: sql, in: context) {
        all += 1
        do { _ = try database.form(of: variant.sql) } catch { refused[variant.operatorName, default: 0] += 1 }
      }
    }
    #expect(refused.values.reduce(0, +) * 10 < all, "\(refused)")
  }

  @Test func aStatementBehindASemicolonIsNotMeant() {
    let variants = StatementOperators.variants(
      of: "SELECT a FROM t WHERE a < 1; DELETE FROM t ;", in: OperatorContext())
    #expect(variants.contains { $0.sql == "SELECT a FROM t WHERE a <= 1" })
    #expect(!variants.contains { $0.sql.contains(";") || $0.sql.contains("DELETE") })
  }
}

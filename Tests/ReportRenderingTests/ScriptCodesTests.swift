import Foundation
import TestSupport
import Testing

@testable import ReportModel
@testable import ReportRendering

/// The numbers in the data for scripts have one meaning, which is written with them.
@Suite struct ScriptCodesTests {
  private struct Codes: Decodable {
    struct Word: Decodable, Equatable {
      var style: String
      var word: String
      var symbol: String
      var failure: Bool
    }

    var outcomes: [Word]
    var has: [String: Int]
    var housekeeping: [String: [String]]
    var sentences: [String: String]
  }

  private func codes() throws -> Codes {
    let line = try #require(scriptCodes().split(separator: "\n").last)
    let json = try #require(line.wholeMatch(of: /const codes = (.*);/)).1
    return try JSONDecoder().decode(Codes.self, from: Data(json.utf8))
  }

  /// The parts of the script by their names.
  private func scripts() throws -> [String: String] {
    let folder = ThisPackage.file("templates/script")
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    return Dictionary(
      uniqueKeysWithValues: try files.filter { $0.pathExtension == "js" }.map {
        ($0.lastPathComponent, try String(contentsOf: $0, encoding: .utf8))
      })
  }

  @Test func outcomesStandAtTheirPlacesInTheOrderOfSeverity() throws {
    let outcomes = try codes().outcomes
    #expect(outcomes.count == Outcome.allCases.count)
    for outcome in Outcome.allCases {
      #expect(
        outcomes[outcome.severity]
          == Codes.Word(
            style: outcome.rawValue, word: outcome.word, symbol: outcome.symbol, failure: outcome.isFailure))
    }
    #expect(Outcome.allCases.map(\.severity) == Array(Outcome.allCases.indices), "worst first")
  }

  @Test func everyBitHasAName() throws {
    let has = try codes().has
    #expect(has.values.reduce(0, |) == 8191)
    #expect(has.filter { $0.key != "evidence" }.values.allSatisfy { $0.nonzeroBitCount == 1 })
    #expect(Set(has.values).count == has.count)
    #expect(has["evidence"] == TestMark.evidence.rawValue && has["database"] == TestMark.database.rawValue)
  }

  @Test func scriptsHaveNoNumbersForOutcomesAndMarks() throws {
    let scripts = try scripts()
    #expect(scripts.count > 5)
    // Whether a test has any of some bits is asked by comparing with 0.
    let number =
      /\boutcomes?\]?\)?\s*(?:[=!]==?|[<>]=?|\[)\s*\d|\b(?:bits|has\.\w+)\)?\s*(?:[=!]==?|[&|^])\s*[1-9]/
    for (name, text) in scripts {
      #expect(text.matches(of: number).map { String($0.0) } == [], "\(name)")
      #expect(!text.contains(/\b(?:word|symbol|failure):/), "\(name)")
    }
  }

  @Test func tablesThatAreNoAppsAreNamedOnce() throws {
    let housekeeping = try codes().housekeeping
    for name in housekeeping["names"] ?? [] {
      #expect(isHousekeeping(name) && !isHousekeeping(name + "x"))
    }
    for prefix in housekeeping["prefixes"] ?? [] { #expect(isHousekeeping(prefix + "x")) }
    #expect(housekeeping.keys.sorted() == ["names", "prefixes"] && !isHousekeeping("orders"))
    let text = try scripts().values.joined()
    #expect(!text.contains("grdb_migrations") && !text.contains("ANSCK"))
  }

  @Test func scriptsSayWhatTheTerminalSays() throws {
    let sentences = try codes().sentences
    #expect(sentences["missing"] == "Steps before step # are missing.")
    #expect(sentences["untold"] == "What was before is not told. #")
    let (scripts, asked) = (try scripts(), try Regex(#"\bsay\("(\w+)"|codes\.sentences\.(\w+)"#))
    let text = scripts.values.joined()
    let names = text.matches(of: asked).compactMap {
      ($0.output[1].substring ?? $0.output[2].substring).map(String.init)
    }
    #expect(Set(names) == Set(sentences.keys))
    let longest = { (sentence: String) in sentence.split(separator: "#").max { $0.count < $1.count } ?? "" }
    for sentence in sentences.values { #expect(!text.contains(longest(sentence))) }
  }

  @Test func scriptsAskForOutcomesAndMarksThereAre() throws {
    let text = try scripts().values.joined()
    let styles = text.matches(of: /ended\("(\w+)"\)/).map { String($0.1) }
    #expect(!styles.isEmpty && styles.allSatisfy { Outcome(rawValue: $0) != nil })
    let names = Set(text.matches(of: /exhibit\.has\.(\w+)/).map { String($0.1) })
    #expect(!names.isEmpty)
    #expect(names.isSubset(of: try codes().has.keys))
  }
}

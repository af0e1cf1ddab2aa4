import Collector
import ExhibitSQLite

@testable import ReportModel
@testable import ReportStory

/// Values of rows and of the failure's message that stand in a sentence although its reader may not see them.
///
/// Looked for are texts of four letters and more that name nothing in the schema, and numbers from 1,000 on: less may be a
/// word, or count something.
func valuesTold(
  by pieces: [Explanation.Piece], of told: ToldSteps, message: String = ""
) -> [String] {
  let names = Set(told.columns.flatMap { [$0.key.name] + $0.value }.map { $0.lowercased() })
  let bare = pieces.withoutValues(names).text
  var values: [DatabaseValue] = []
  for step in told.steps {
    values += step.recorded.results.flatMap { $0.compactMap { $0 } }
    values += (step.changes + step.undone).flatMap { ($0.told.old + $0.told.new).compactMap { $0 } }
  }
  var texts: Set<String> = []
  for value in values {
    switch value {
    case .text(let text, _) where text.count >= 4 && !names.contains(text.lowercased()): texts.insert(text)
    case .integer(let number) where number.magnitude >= 1000:
      texts.formUnion(["\(number)", grouped(Int(number))])
    default: break
    }
  }
  for word in message.split(whereSeparator: { !$0.isNumber }) where word.count >= 4 {
    texts.formUnion([String(word), Int(word).map { grouped($0) } ?? String(word)])
  }
  return texts.filter(bare.contains).sorted() + (bare.contains("'") ? ["a quote in: \(bare)"] : [])
}

import ExhibitSQLite
import ReportModel
import ReportStory

extension Explanation {
  /// How sure it is, in a word.
  var certaintyText: String { certainty == .certain ? "Certain" : "Likely" }

  /// The sentence, and the first of its rows.
  var printed: [TerminalLine] {
    [TerminalLine("\(certaintyText): \(text)", .odd)] + (rows.map { $0.printed(names, indent: "  ") } ?? [])
  }
}

extension RelatedRows {
  private static let mostColumns = 8

  /// Its rows, with what the rows are called to which foreign keys lead.
  func printed(_ names: ReferenceNames, indent: String) -> [TerminalLine] {
    let writing = step.map { ", written in step \($0)" } ?? ""
    var lines = [TerminalLine("\(indent)\(title)\(writing):", .soft)]
    lines += rows.map { row in
      let cells = zip(columns, row).prefix(Self.mostColumns).map { column, value in
        "\(column) \(value.shortText)\(names[table, column, value].map { " (\($0))" } ?? "")"
      }
      return TerminalLine("\(indent)  " + cells.joined(separator: ", "), .soft)
    }
    if let count, count > rows.count {
      lines.append(TerminalLine("\(indent)  … \(grouped(count - rows.count)) more", .soft))
    }
    return lines
  }
}

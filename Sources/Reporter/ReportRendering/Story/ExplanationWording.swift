import ExhibitSQLite
import ReportModel
import ReportStory

extension Explanation {
  /// How sure it is, in a word.
  var certaintyText: String {
    switch certainty {
    case .certain: "Certain"
    case .likely: "Likely"
    }
  }

  /// The sentence, and the first of its rows.
  var printed: [StoryLine] {
    var lines = [StoryLine("\(certaintyText): \(text)", .odd)]
    guard let rows else { return lines }
    lines.append(StoryLine("  \(rows.title):", .soft))
    lines += rows.rows.map { row in
      let cells = row.enumerated().prefix(8).map { index, value in
        "\(index < rows.columns.count ? rows.columns[index] : "?") \(value.shortText)"
      }
      return StoryLine("    " + cells.joined(separator: ", "), .soft)
    }
    if let count = rows.count, count > rows.rows.count {
      lines.append(StoryLine("    … \(grouped(count - rows.rows.count)) more", .soft))
    }
    return lines
  }
}

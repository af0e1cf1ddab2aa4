import Collector
import ReportInspection
import ReportModel
import ReportPlaces
import ReportStory

/// Failures in summary and comment.
struct SummaryFailures {
  let context: PageContext

  var options: SummaryOptions { context.contents.summary }

  // MARK: - Leading failures

  private var leading: [(test: TestResult, group: FailureGroup)] {
    context.groups.compactMap { group in group.failures.first.map { (test: $0, group: group) } }
  }

  struct Entries {
    var text = ""
    /// Including similar ones.
    var told = 0
    var areAll = true
  }

  /// Up to three lines per failure: name and place, message, explanation.
  ///
  /// - Returns: Those that fit.
  func entries(most: Int, _ room: MarkdownRoom) -> Entries {
    var (entries, left) = (Entries(), room)
    let leading = leading
    entries.areAll = leading.count <= most && leading.allSatisfy { $0.group.total == 1 }
    for (test, group) in leading.prefix(most) {
      let entry = entry(test, of: group).joined(separator: "\n") + "\n"
      left.take(entry)
      guard left.isLeft else {
        entries.areAll = false
        break
      }
      entries.text += entry
      entries.told += group.total
    }
    return entries
  }

  private func entry(_ test: TestResult, of group: FailureGroup) -> [String] {
    let told = ToldFailure(test: test, contents: context.contents)
    let isNew = context.standings?[test.id] == .new
    let alike = group.total > 1 ? ", \(grouped(group.total - 1)) more \(group.relationToFirst)" : ""
    let name = linked(codeSpan(shortened(test.titleWithArgument, to: 120)), to: address(of: test))
    // A line has no room for the path.
    let place = told.place.map { " at \(code(shortened($0.shortText, to: 100), at: $0))" } ?? ""
    let past = [told.past, test.labelsText].compactMap { $0 }.map { " · \(prose($0))" }.joined()
    var lines = ["- \(test.outcome.symbol)\(isNew ? " **new**" : "") \(name)\(place)\(alike)\(past)"]
    let message = told.message.map { quoted(shortened($0, to: 240)) } ?? remark(on: test).map(prose)
    if let message { lines.append("  - " + message) }
    if let why = why(told) ?? brief(told, length: 160) { lines.append("  - " + why) }
    return lines
  }

  /// The first explanation, if any.
  private func why(_ told: ToldFailure) -> String? {
    told.why.map { "Why (\($0.certainty)): \(sentence($0.pieces))" }
  }

  /// A sentence with statements and places as code.
  private func sentence(_ pieces: [Explanation.Piece]) -> String {
    var (text, left) = ("", Self.longestSentence)
    for piece in pieces {
      guard left > 0 else { return text + " …" }
      let plain = shortened([piece].text, to: left)
      left -= plain.unicodeScalars.count
      switch piece {
      case .statement(let sql): text = joined(text, codeSpan(Explanation.cut(sql)))
      case .place(let place): text = joined(text, code(shortened(place.text, to: 160), at: place.reference))
      case .text, .values, .step, .number: text = joined(text, prose(plain))
      }
    }
    return text
  }

  private static let longestSentence = 500

  private func brief(_ told: ToldFailure, length: Int) -> String? {
    let did = [
      told.story?.briefText.map { prose(shortened(withoutFullStop($0), to: length)) },
      told.story?.oddText,
      told.failing.map(failingPlace),
    ]
    let parts = [
      joined(did, by: ", ").map { "What the test did: " + $0 },
      told.finding.map { "Suspicious: " + prose(shortened($0, to: length)) },
    ]
    return joined(parts, by: " · ")
  }

  private func failingPlace(_ failing: FailingPlace) -> String {
    "\(failing.title) \(code(shortened(failing.place.lineFirst, to: 160), at: failing.place.reference))"
  }

  // MARK: - Lines

  /// All failures in a line each, grouped, as many as fit.
  func list(_ room: MarkdownRoom) -> FoldedLines {
    var (lines, left): ([String], MarkdownRoom) = ([], room)
    for group in context.groups where left.isLeft {
      for (index, test) in group.failures.enumerated() where left.isLeft {
        lines.append(index == 0 ? firstLine(of: group, test) : "  " + line(test, besides: group.failures[0]))
        left.take(lines[lines.count - 1])
      }
    }
    return FoldedLines(
      title: "Every failure: \(grouped(context.counts.failures))", lines: lines, of: context.counts.failures,
      room: room)
  }

  private func firstLine(of group: FailureGroup, _ test: TestResult) -> String {
    let line = line(test, besides: nil)
    guard group.total > 1 else { return line }
    return line.dropLast() + " · \(grouped(group.total - 1)) more \(group.relationToFirst):\n"
  }

  /// A failure on one line, without what was just shown.
  private func line(_ test: TestResult, besides shown: TestResult?) -> String {
    let told = ToldFailure(test: test, contents: context.contents)
    let facts = [
      test.leadingIssue?.location == shown?.leadingIssue?.location
        ? nil : test.leadingIssue?.location.map(place),
      test.leadingIssue?.message == shown?.leadingIssue?.message
        ? nil : told.message.map { quoted(shortened($0, to: 240)) },
      why(told) ?? brief(told, length: 100), told.past.map(prose),
      test.labelsText.map(prose),
    ]
    return "- \(test.outcome.symbol) "
      + ([name(of: test)] + facts.compactMap { $0 }).joined(separator: " · ") + "\n"
  }

  /// Its identity, linked if the report is online.
  func name(of test: TestResult) -> String {
    linked(codeSpan(shortened(test.id.description, to: 500)), to: address(of: test))
  }

  private func address(of test: TestResult) -> String? { options.link(toPageOf: test, context.names) }

  private func place(_ place: SourceReference) -> String { code(place.text, at: place) }

  /// Code that links to the repository.
  private func code(_ text: String, at place: SourceReference?) -> String {
    linked(codeSpan(text), to: place.flatMap { options.repository?.link(to: $0) })
  }

  // MARK: - In full

  /// One collapsed section per group, as many as fit.
  func sections(_ room: MarkdownRoom) -> [String] {
    var sections: [String] = []
    var room = room
    for (test, _) in leading {
      let section = "<details>\n\(section(test))</details>\n"
      room.take(section)
      guard room.isLeft else { break }
      sections.append(section)
    }
    return sections
  }

  private func section(_ test: TestResult) -> String {
    let told = ToldFailure(test: test, contents: context.contents)
    // This line is HTML, not Markdown.
    let title = htmlEscaped(visibleOnOneLine(shortened(test.titleWithArgument, to: 300)))
    var text = "<summary>\(test.outcome.symbol) \(test.outcome.word): <code>\(title)</code></summary>\n\n"
    let note = test.leadingIssue?.placeNote.map { ", \($0)" } ?? ""
    let facts = [
      name(of: test), told.place.map { place($0) + note },
      test.duration.flatMap(durationText), told.past.map(prose),
    ]
    text += facts.compactMap { $0 }.joined(separator: " · ") + "\n\n"
    text += remark(on: test).map { "\($0)\n\n" } ?? ""
    for issue in test.issuesToTell.prefix(mostIssues) { text += issueBlock(issue) }
    text += crashBlock(test)
    let rest = test.issues.count - mostIssues
    if rest > 0 { text += "… and \(counted(rest, "more issue")).\n\n" }
    text += joined([why(told), brief(told, length: 300)], by: " · ").map { $0 + "\n\n" } ?? ""
    for evidence in test.evidence.prefix(mostEvidence) { text += evidenceLines(evidence) }
    let unnamed = test.evidence.count - mostEvidence
    if unnamed > 0 { text += "- … and \(counted(unnamed, "more piece")) of evidence\n" }
    return text + (test.evidence.isEmpty ? "" : "\n")
  }

  private func evidenceLines(_ evidence: TestEvidence) -> String {
    let run = evidence.run.map { " of run \(codeSpan(shortened($0.name, to: 100)))" } ?? ""
    let name = "- \(evidence.kind.title) \(codeSpan(evidence.name))\(run)"
    guard let path = evidence.path, evidence.failure == nil else {
      return "\(name) is missing: \(prose(evidence.failure ?? "no input says why"))\n"
    }
    let size = evidence.bytes.map { ", \(sizeText($0))" } ?? ""
    let state = evidence.stateText.map { ", \($0)" } ?? ""
    let uncommitted = evidence.details.database?.uncommitted == true ? ", includes uncommitted rows" : ""
    return "\(name)\(state)\(uncommitted)\(size): \(linked(codeSpan(path), to: options.link(to: path)))\n"
      + (context.contents.databases[path].map { tableLines($0, naming: options.showsValues) } ?? "")
  }
}

private let mostIssues = 3

private let longestMessage = 4000
private let mostMessageLines = 20

private let mostEvidence = 8

extension TestResult {
  fileprivate var titleWithArgument: String { title + (id.argument.map { " \($0.description)" } ?? "") }
}

private func issueBlock(_ issue: TestIssue) -> String {
  let message = shortened(issue.message, to: longestMessage)
  let lines = textLines(of: message)
  let shown = lines.prefix(mostMessageLines).joined(separator: "\n")
  let isCut = lines.count > mostMessageLines || message != issue.message
  return codeBlock(shown) + (isCut ? "\nThe message was cut; the whole is in the report.\n\n" : "\n")
}

private func crashBlock(_ test: TestResult) -> String {
  let lines = test.crashLines.prefix(mostMessageLines).map { shortened($0, to: 300) }
  return lines.isEmpty ? "" : codeBlock(lines.joined(separator: "\n")) + "\n"
}

private let mostTables = 30

private func tableLines(_ database: DatabaseInspection, naming rows: Bool) -> String {
  var check =
    database.check == "ok" ? "" : "  - quick_check: \(quoted(shortened(database.check, to: 300)))\n"
  if !database.foreignKeys.isSound {
    let keys = database.foreignKeys
    let text =
      rows || keys.broken == 0
      ? keyCheckText(keys)
      : (keys.hasMore ? "over " : "") + counted(keys.broken, "row") + " with a key that refers to no row"
    check += "  - foreign_key_check: \(prose(shortened(text.replacing("\n", with: "; "), to: 300)))\n"
  }
  let tables = database.tables.filter { $0.kind != .shadow }
  guard !tables.isEmpty else { return check + "  - no tables\n" }
  let names = tables.prefix(mostTables).map { table in
    "\(codeSpan(shortened(table.name, to: 100))) \(table.rowCount.map { counted($0, "row") } ?? "rows not counted")"
  }
  let rest = tables.count > mostTables ? ", … and \(counted(tables.count - mostTables, "more table"))" : ""
  return check + "  - \(names.joined(separator: ", "))\(rest)\n"
}

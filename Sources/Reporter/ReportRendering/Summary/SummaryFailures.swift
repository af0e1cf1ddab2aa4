import Collector
import ReportInspection
import ReportModel
import ReportPlaces
import ReportStory

/// The failures of a summary: in a table, on a line each, and in full.
struct SummaryFailures {
  let context: PageContext
  let options: SummaryOptions

  // MARK: - Table

  /// The first of alike failures each, the leading ones; as many as fit.
  ///
  /// - Parameters:
  ///   - new: The identities of tests that did not fail before: those come first, and are marked.
  ///   - room: Bytes.
  func table(new: Set<String>, room: Int) -> String {
    func isNew(_ test: TestResult) -> Bool { new.contains(test.id.description) }
    let marked = new.isEmpty ? context.groups : context.groups.filter { $0.failures.contains(where: isNew) }
    let others = new.isEmpty ? [] : context.groups.filter { !$0.failures.contains(where: isNew) }
    var text = "| | Test | Place | Message | What it did |\n| --- | --- | --- | --- | --- |\n"
    for group in (marked.prefix(mostInTable) + others.prefix(mostInTable)).prefix(mostInTable) {
      guard let test = group.failures.first(where: isNew) ?? group.failures.first else { continue }
      let row = tableRow(test, of: group, isNew: isNew(test))
      guard text.utf8.count + row.utf8.count < room else { break }
      text += row
    }
    return text + "\n"
  }

  private func tableRow(_ test: TestResult, of group: FailureGroup, isNew: Bool) -> String {
    let name = linked(codeSpan(shortened(test.titleWithArgument, to: 120)), to: address(of: test))
    let alike = group.total > 1 ? ", \(grouped(group.total - 1)) more \(group.relationToFirst)" : ""
    let told = [story(of: test, length: 160), finding(of: test, length: 160), past(of: test)].compactMap {
      $0
    }
    let cells = [
      "\(test.outcome.symbol)\(isNew ? " new" : "")", name + alike,
      (test.leadingIssue?.location ?? test.location).map(shortPlace) ?? "",
      message(of: test, length: 160) ?? "",
      told.joined(separator: " · "),
    ]
    // A bar ends a cell also within code, unless a backslash precedes it.
    return "| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |\n"
  }

  // MARK: - Lines

  /// Every failure on a line, alike ones below the first of them, as many as fit.
  ///
  /// - Parameter room: Bytes.
  func list(room: Int) -> FoldedLines {
    var lines: [String] = []
    var bytes = 0
    for group in context.groups {
      for (index, test) in group.failures.enumerated() where bytes <= room {
        lines.append(index == 0 ? firstLine(of: group, test) : "  " + line(test, besides: group.failures[0]))
        bytes += lines[lines.count - 1].utf8.count
      }
      if bytes > room { break }
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

  /// A failure on one line: its name, and what it says unless that has just been shown.
  private func line(_ test: TestResult, besides shown: TestResult?) -> String {
    let facts = [
      test.leadingIssue?.location == shown?.leadingIssue?.location
        ? nil : test.leadingIssue?.location.map(place),
      test.leadingIssue?.message == shown?.leadingIssue?.message ? nil : message(of: test, length: 240),
      story(of: test, length: 100), finding(of: test, length: 160), past(of: test),
    ]
    return "- \(test.outcome.symbol) "
      + ([name(of: test)] + facts.compactMap { $0 }).joined(separator: " · ") + "\n"
  }

  // MARK: - What is told of a failure

  /// What the test did, in short; `nil` where nothing is known of it.
  private func story(of test: TestResult, length: Int) -> String? {
    guard let story = context.contents.stories[test.id] else { return nil }
    if let why = story.explanations.first { return codeSpan(shortened(why.text, to: max(length, 300))) }
    let told = [
      story.briefText.map { codeSpan(shortened($0, to: length)) }, story.oddText,
      FailingPlace(of: test, in: story).map(failingPlace),
    ].compactMap { $0 }
    return told.isEmpty ? nil : told.joined(separator: ", ")
  }

  private func failingPlace(_ failing: FailingPlace) -> String {
    let address = failing.place.reference.flatMap { options.repository?.link(to: $0) }
    return "\(failing.title) \(linked(codeSpan(shortened(failing.place.lineFirst, to: 160)), to: address))"
  }

  /// What is suspicious about what the test wrote; `nil` where nothing is.
  private func finding(of test: TestResult, length: Int) -> String? {
    TestFindings(test, context.contents).ofTheTest.map { codeSpan(shortened($0.sentence, to: length)) }
  }

  /// How it ended in its last runs, and what that says; `nil` where no history has it.
  private func past(of test: TestResult) -> String? {
    context.contents.pasts[test.id].map { codeSpan($0.line) }
  }

  /// What it said, or how its process ended; `nil` where no input tells.
  private func message(of test: TestResult, length: Int) -> String? {
    let message =
      test.leadingIssue.map { glance($0, context.contents.sources) } ?? test.crash?.brief.first.map(glance)
    return message.map { codeSpan(shortened($0, to: length)) }
  }

  /// The test's identity, leading to its page where the report is on the web.
  func name(of test: TestResult) -> String {
    linked(codeSpan(shortened(test.id.description, to: 500)), to: address(of: test))
  }

  private func address(of test: TestResult) -> String? {
    guard let path = context.names.path(of: test), let link = options.link(to: path) else { return nil }
    return context.names.anchor(of: test.id).map { "\(link)#\($0)" } ?? link
  }

  private func place(_ place: SourceReference) -> String {
    linked(codeSpan(place.text), to: options.repository?.link(to: place))
  }

  /// By its file's name alone: a column has room for no more.
  private func shortPlace(_ place: SourceReference) -> String {
    linked(codeSpan(shortened(place.shortText, to: 100)), to: options.repository?.link(to: place))
  }

  // MARK: - In full

  /// The first of alike failures each, with a line for its fold; those that have room.
  ///
  /// - Parameter room: Bytes.
  func sections(room: Int) -> [String] {
    var sections: [String] = []
    var room = room
    for group in context.groups {
      guard let first = group.failures.first, room > 0 else { break }
      let section = section(first)
      room -= section.utf8.count + 40
      guard room >= 0 else { break }
      sections.append(section)
    }
    return sections
  }

  private func section(_ test: TestResult) -> String {
    // Markdown is not read in this line: the text is code as HTML has it.
    let title = htmlEscaped(visibleOnOneLine(shortened(test.titleWithArgument, to: 300)))
    var text = "<summary>\(test.outcome.symbol) \(test.outcome.word): <code>\(title)</code></summary>\n\n"
    let note = test.leadingIssue?.placeNote.map { ", \($0)" } ?? ""
    let facts = [
      name(of: test), (test.leadingIssue?.location ?? test.location).map { place($0) + note },
      test.duration.flatMap(durationText), past(of: test),
    ]
    text += facts.compactMap { $0 }.joined(separator: " · ") + "\n\n"
    text += remark(on: test).map { "\($0)\n\n" } ?? ""
    text += test.crash.map(crashBlock) ?? ""
    for issue in test.issues.prefix(mostIssues) { text += issueBlock(issue) }
    let rest = test.issues.count - mostIssues
    if rest > 0 { text += "… and \(counted(rest, "more issue")).\n\n" }
    let told = [
      story(of: test, length: 300).map {
        "\(context.contents.stories[test.id]?.explanations.isEmpty == false ? "Why" : "What the test did"): \($0)"
      },
      finding(of: test, length: 300).map { "Suspicious: \($0)" },
    ].compactMap { $0 }
    if !told.isEmpty { text += told.joined(separator: " · ") + "\n\n" }
    for evidence in test.evidence { text += evidenceLines(evidence) }
    return text + (test.evidence.isEmpty ? "" : "\n")
  }

  private func evidenceLines(_ evidence: TestEvidence) -> String {
    let run = evidence.run.map { " of run \(codeSpan(shortened($0.name, to: 100)))" } ?? ""
    let name = "- \(evidence.kind.title) \(codeSpan(evidence.name))\(run)"
    guard let path = evidence.path, evidence.failure == nil else {
      return "\(name) is missing: \(codeSpan(evidence.failure ?? "no input says why"))\n"
    }
    let size = evidence.bytes.map { ", \(sizeText($0))" } ?? ""
    let state = evidence.stateText.map { ", \($0)" } ?? ""
    let uncommitted = evidence.database?.uncommitted == true ? ", includes uncommitted rows" : ""
    return "\(name)\(state)\(uncommitted)\(size): \(linked(codeSpan(path), to: options.link(to: path)))\n"
      + (context.contents.databases[path].map(tableLines) ?? "")
  }
}

/// Failures in the table.
private let mostInTable = 10

/// Issues of a test shown one by one.
private let mostIssues = 10

/// Unicode scalars shown of a message.
private let longestMessage = 8000

extension TestResult {
  fileprivate var titleWithArgument: String { title + (id.argument.map { " \($0.description)" } ?? "") }
}

private func issueBlock(_ issue: TestIssue) -> String {
  let message = issue.message
  let isCut = message.unicodeScalars.count > longestMessage
  return codeBlock(shortened(message, to: longestMessage))
    + (isCut ? "\nThe message was cut; the whole is in `report.json`.\n\n" : "\n")
}

/// The last lines before a crash and the first frames of the tests' own code.
private func crashBlock(_ crash: CrashOutput) -> String {
  let lines = crash.brief.map { shortened($0, to: 300) }
  return lines.isEmpty ? "" : codeBlock(lines.joined(separator: "\n")) + "\n"
}

/// Tables named one by one.
private let mostTables = 30

private func tableLines(_ database: DatabaseInspection) -> String {
  var check =
    database.check == "ok" ? "" : "  - quick_check: \(codeSpan(shortened(database.check, to: 300)))\n"
  if !database.foreignKeys.isSound {
    check += "  - foreign_key_check: \(codeSpan(shortened(keyCheckText(database.foreignKeys), to: 300)))\n"
  }
  let tables = database.tables.filter { $0.kind != .shadow }
  guard !tables.isEmpty else { return check + "  - no tables\n" }
  let names = tables.prefix(mostTables).map { table in
    "\(codeSpan(shortened(table.name, to: 100))) \(table.rowCount.map { counted($0, "row") } ?? "rows not counted")"
  }
  let rest = tables.count > mostTables ? ", … and \(counted(tables.count - mostTables, "more table"))" : ""
  return check + "  - \(names.joined(separator: ", "))\(rest)\n"
}

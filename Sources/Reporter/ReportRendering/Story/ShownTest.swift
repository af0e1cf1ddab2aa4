import Collector
import ReportInspection
package import ReportModel
import ReportStory

/// One test as a text: its message, the source, what it did, what is suspicious, and the schema of the tables it touched.
package struct ShownTest {
  /// Bytes of Markdown that an issue and an assistant take.
  package static let usualBytes = 16_384

  private struct Part {
    var title: String
    var lines: [StoryLine]
    /// How Markdown's block is called.
    var language = "text"
  }

  private let test: TestResult
  private let contents: ReportContents
  private let story: PrintedStory?
  private let answers: Bool

  /// - Parameter answers: Whether what was asked for of its states is told, and nothing else.
  package init(_ test: TestResult, _ contents: ReportContents, answers: Bool = false) {
    (self.test, self.contents, self.answers) = (test, contents, answers)
    story = contents.stories[test.id].map {
      PrintedStory($0, of: test, sources: contents.sources, sourceLines: contents.sourceLines)
    }
  }

  // MARK: - Terminal

  /// - Parameter isColoured: Whether the terminal's colours are used.
  package func terminalText(isColoured: Bool) -> String {
    var lines =
      [StoryLine("\(test.outcome.symbol) \(test.outcome.word): \(test.title)", .failed)]
      + facts.map { StoryLine($0, .soft) }
    for part in parts(bytes: .max) {
      lines += [StoryLine(""), StoryLine(part.title, .strong)] + part.lines
    }
    return lines.map { $0.style.applied(to: $0.text, isColoured: isColoured) + "\n" }.joined()
  }

  private var facts: [String] {
    [
      test.id.description, (test.leadingIssue?.location ?? test.location)?.text,
      test.duration.flatMap(durationText),
    ].compactMap { $0 }
  }

  // MARK: - Markdown

  /// - Parameter limit: In bytes; what is less telling is left out.
  package func markdown(limit: Int) -> String {
    let head =
      "# \(test.outcome.symbol) \(test.outcome.word): \(codeSpan(shortened(test.title, to: 200)))\n\n"
      + facts.map { codeSpan(shortened($0, to: 300)) }.joined(separator: " · ") + "\n\n"
    var text = head
    for part in parts(bytes: max(0, limit - head.utf8.count - 400)) {
      text += "## \(part.title)\n\n" + fenced(part) + "\n"
    }
    return fittedMarkdown(text, to: limit)
  }

  private func fenced(_ part: Part) -> String {
    let block = codeBlock(part.lines.map(\.text).joined(separator: "\n"))
    return part.language == "text"
      ? block : block.replacing("```text\n", with: "```\(part.language)\n", maxReplacements: 1)
  }

  // MARK: - Parts

  /// - Parameter bytes: For all of them together: a quarter is for messages and source, a fifth each for findings and the
  ///   schema, the rest for what the test did.
  private func parts(bytes: Int) -> [Part] {
    let isAll = bytes == .max
    if answers {
      let lines = contents.answer?.lines ?? [StoryLine("No steps of the test were recorded.")]
      return [Part(title: contents.answer?.title ?? "Its tables", lines: cut(lines, to: bytes))]
    }
    let failed = cut(failureLines, to: isAll ? .max : bytes / 4)
    let findings = cut(TestFindings(test, contents).lines, to: isAll ? .max : bytes / 5)
    let schema = cut(schemaLines, to: isAll ? .max : bytes / 5)
    var parts = failed.isEmpty ? [] : [Part(title: "What failed", lines: failed)]
    let used = Self.size(failed) + Self.size(findings) + Self.size(schema)
    if let story {
      let head = cut(story.head, to: isAll ? .max : bytes / 4)
      let steps = story.steps(bytes: isAll ? .max : max(0, bytes - used - Self.size(head)))
      parts.append(
        Part(title: "What the test did", lines: head + (steps.isEmpty ? [] : [StoryLine("")] + steps)))
    }
    if !findings.isEmpty { parts.append(Part(title: "Findings", lines: findings)) }
    if !schema.isEmpty {
      parts.append(Part(title: "Schema of the tables it touched", lines: schema, language: "sql"))
    }
    return parts
  }

  private static func size(_ lines: [StoryLine]) -> Int { lines.reduce(0) { $0 + $1.text.utf8.count + 1 } }

  private func cut(_ lines: [StoryLine], to bytes: Int) -> [StoryLine] {
    guard bytes != .max else { return lines }
    var (kept, room): ([StoryLine], Int) = ([], bytes)
    for (index, line) in lines.enumerated() {
      room -= line.text.utf8.count + 1
      guard room >= 0 else {
        return kept + [StoryLine("… \(counted(lines.count - index, "more line"))", .soft)]
      }
      kept.append(line)
    }
    return kept
  }

  private var failureLines: [StoryLine] {
    var lines: [StoryLine] = []
    for issue in test.issues.prefix(10) {
      lines += issue.location.map { [StoryLine($0.text, .soft)] } ?? []
      lines += textLines(of: shortened(withoutTerminalSequences(issue.message), to: 8000)).map {
        StoryLine(String($0), .failed)
      }
      guard let excerpt = issue.location.flatMap({ contents.sources[$0] }) else { continue }
      lines += excerpt.lines.enumerated().map { index, text in
        let number = excerpt.firstLine + index
        let isMarked = number == excerpt.markedLine
        return StoryLine(
          "\(isMarked ? ">" : " ")\(padded(String(number), to: 5, with: " "))  \(text)",
          isMarked ? .odd : .soft)
      }
    }
    if test.issues.count > 10 { lines.append(StoryLine(counted(test.issues.count - 10, "more issue"))) }
    if let crash = test.crash { lines += crash.brief.map { StoryLine($0, .failed) } }
    if lines.isEmpty {
      lines += [remark(on: test), test.remarkInList(contents.sources)].compactMap { $0 }.prefix(1).map {
        StoryLine($0)
      }
    }
    return lines
  }

  /// Of the tables that the test changed or that its statements name, as they were captured.
  private var schemaLines: [StoryLine] {
    guard let told = contents.stories[test.id] else { return [] }
    var names = Set(
      told.changes.tables.map(\.table.name) + told.states.flatMap { $0.changes.tables.map(\.name) })
    for step in told.steps {
      names.formUnion((step.changes + step.consequences).map(\.table.name))
    }
    let statements = told.steps.suffix(300).map { $0.sql.lowercased() }
    var seen: Set<String> = []
    let inspected = test.evidence.compactMap { evidence in evidence.path.flatMap { contents.databases[$0] } }
    let tables: [DatabaseInspection.Table] = inspected.flatMap(\.tables).filter { table in
      if table.kind == .shadow { return false }
      let name = table.name.lowercased()
      return names.contains(table.name) || statements.contains { $0.contains(name) }
    }
    let schema = tables.compactMap(\.sql).filter { seen.insert($0).inserted }
    return schema.flatMap { sql in textLines(of: sql + ";").map { StoryLine(String($0)) } }
  }
}

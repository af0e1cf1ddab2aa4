import Collector
import ReportInspection
package import ReportModel
import ReportPlaces
import ReportStory

/// One test as a text: its message, the source, what it did, what is suspicious, and the schema of the tables it touched.
package struct ShownTest {
  /// Bytes of Markdown that an issue and an assistant take.
  package static let usualBytes = 8192

  private struct Part {
    var title: String
    var lines: [TerminalLine]
    /// The language of Markdown's block.
    var language = "text"
  }

  private let test: TestResult
  private let contents: ReportContents
  private let story: PrintedStory?
  private let answers: Bool

  /// - Parameter answers: True when the answer about its states is told, and nothing else.
  package init(_ test: TestResult, _ contents: ReportContents, answers: Bool = false) {
    (self.test, self.contents, self.answers) = (test, contents, answers)
    story = contents.stories[test.id].map {
      PrintedStory($0, of: test, sources: contents.sources, sourceLines: contents.sourceLines)
    }
  }

  // MARK: - Terminal

  /// - Parameters:
  ///   - isColoured: True when the terminal's colours are used.
  ///   - isLinked: True when places are links for a terminal, where an editor was asked for.
  package func terminalText(isColoured: Bool, isLinked: Bool = false) -> String {
    var lines =
      [TerminalLine("\(test.outcome.symbol) \(test.outcome.word): \(test.title)", .failed)]
      + facts.map { TerminalLine($0.text, .soft, place: $0.place) }
    for part in parts(bytes: .max) {
      lines += [TerminalLine(""), TerminalLine(part.title, .strong)] + part.lines
    }
    return lines.map { line in
      let text = line.coloured(isColoured)
      return (isLinked ? opening(line.place, in: text) : text) + "\n"
    }.joined()
  }

  /// A line of a terminal in which the place that it names leads into the editor.
  ///
  /// Source: “Hyperlinks in terminal emulators”, the sequence OSC 8 with ST at its end.
  private func opening(_ place: SourceReference?, in text: String) -> String {
    guard let place, let address = contents.editor?.link(to: place),
      let name = [place.text, place.shortText].first(where: text.contains)
    else { return text }
    let link = "\u{1B}]8;;\(address)\u{1B}\\\(name)\u{1B}]8;;\u{1B}\\"
    return text.replacing(name, with: link, maxReplacements: 1)
  }

  private struct Fact {
    var text: String
    var place: SourceReference?
    /// True for a name or place, false for words of ours.
    var isCode = false
  }

  private var facts: [Fact] {
    let location = (test.leadingIssue ?? test.issuesOfFailure.first)?.location ?? test.location
    let failing = FailingPlace(of: test, in: contents.stories[test.id])
    return [
      Fact(text: test.id.description, isCode: true),
      location.map { Fact(text: $0.text, place: $0, isCode: true) },
      failing.map { Fact(text: $0.sentence, place: $0.place.reference) },
      test.duration.flatMap(durationText).map { Fact(text: $0) },
      contents.pasts[test.id].map { Fact(text: $0.line) }, test.labelsText.map { Fact(text: $0) },
    ].compactMap { $0 }
  }

  // MARK: - Markdown

  /// - Parameter limit: In bytes; what is less telling is left out.
  package func markdown(limit: Int) -> String {
    let head =
      "# \(test.outcome.symbol) \(test.outcome.word): \(codeSpan(shortened(test.title, to: 200)))\n\n"
      + facts.map { fact in
        let text = shortened(fact.text, to: 300)
        let address = fact.place.flatMap { contents.editor?.link(to: $0) }
        return linked(fact.isCode ? codeSpan(text) : prose(text), to: address)
      }.joined(separator: " · ") + "\n\n"
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

  /// - Parameter bytes: For all of them together: each part but the steps has a share that it need not use, and the steps
  ///   have what is left.
  private func parts(bytes: Int) -> [Part] {
    func share(_ part: Double) -> Int { bytes == .max ? .max : Int(Double(bytes) * part) }
    if answers {
      let lines = contents.answer?.lines ?? [TerminalLine("No steps of the test were recorded.")]
      return [Part(title: contents.answer?.title ?? "Its tables", lines: cut(lines, to: bytes))]
    }
    let failed = cut(failureLines, to: share(0.25))
    let why = cut((contents.stories[test.id]?.explanations ?? []).flatMap(\.printed), to: share(0.3))
    let found = TestFindings(test, contents)
    // With little room, only findings are told that a reader sees at once.
    let toldFindings = bytes != .max && found.leading.isEmpty ? [] : found.lines
    let findings = cut(toldFindings, to: share(why.isEmpty ? 0.2 : 0.1))
    // The schema has the tables that the test changed or that its statements name, as they were captured; where room is
    // short, those of the steps that matter most.
    let schema = contents.stories[test.id].map {
      TouchedSchema(shownOf: test, $0, contents, isShort: bytes != .max).lines(bytes: share(0.2))
    }
    let passed = contents.stories[test.id]?.comparison.map {
      cut($0.printed(most: bytes == .max ? 200 : 6), to: share(0.25))
    }
    let origin = originPart.map { Part(title: $0.title, lines: cut($0.lines, to: share(0.15))) }
    let did = story.map { story in
      let code = cut(story.code.printed(bytes: share(0.25)), to: share(0.25))
      let head = code + cut(story.head(isShort: bytes != .max), to: share(0.15))
      let used = [failed, why, findings, schema ?? [], head, passed ?? [], origin?.lines ?? []].map(Self.size)
        .reduce(0, +)
      let steps = story.body(bytes: bytes == .max ? .max : max(0, bytes - used))
      return head + (steps.isEmpty ? [] : [TerminalLine("")] + steps)
    }
    return [
      Part(title: "What failed", lines: failed), Part(title: "Why", lines: why),
      Part(title: "What was different when it passed", lines: passed ?? []),
      origin ?? Part(title: "", lines: []),
      Part(title: "What the test did", lines: did ?? []), Part(title: "Findings", lines: findings),
      Part(title: "Schema of the tables it touched", lines: schema ?? [], language: "sql"),
    ].filter { !$0.lines.isEmpty }
  }

  /// The reads that the failing value comes from, with the rows that they are made of and those that they left out.
  private var originPart: Part? {
    guard let story = contents.stories[test.id] else { return nil }
    let reads = story.leadingReads.map { story.highlights[$0] }
    guard let first = reads.first else { return nil }
    return Part(title: story.leadingReadTitle(first), lines: reads.flatMap { lines(of: $0, in: story) })
  }

  private func lines(of read: StoryHighlight, in story: Story) -> [TerminalLine] {
    guard let step = story[step: read.last] else { return [] }
    let facts = ["Step \(step.number)", step.resultText(rows: step.rows, changed: nil), step.placeText]
    let returned = step.onlyValue.map { ": \($0)" } ?? ""
    return [TerminalLine(facts.compactMap(\.self).joined(separator: ", ") + returned, .strong)]
      + [TerminalLine("  \(shortened(PrintedStory.onOneLine(step.statement), to: 400))", .soft)]
      + read.related.flatMap { $0.printed(read.names, indent: "  ") }
  }

  private static func size(_ lines: [TerminalLine]) -> Int { lines.reduce(0) { $0 + $1.text.utf8.count + 1 } }

  private func cut(_ lines: [TerminalLine], to bytes: Int) -> [TerminalLine] {
    guard bytes != .max else { return lines }
    var (kept, room): ([TerminalLine], Int) = ([], bytes)
    for (index, line) in lines.enumerated() {
      room -= line.text.utf8.count + 1
      guard room >= 0 else {
        return kept + [TerminalLine("… \(counted(lines.count - index, "more line"))", .soft)]
      }
      kept.append(line)
    }
    return kept
  }

  private var failureLines: [TerminalLine] {
    let issues = test.issuesToTell
    var lines = earlierFailureText(test).map { [TerminalLine($0, .soft)] } ?? []
    for issue in issues.prefix(10) {
      let note = issue.placeNote.map { " (\($0))" } ?? ""
      lines += issue.location.map { [TerminalLine($0.text + note, .soft, place: $0)] } ?? []
      lines += textLines(of: shortened(withoutTerminalSequences(issue.message), to: 8000)).map {
        TerminalLine(String($0), .failed)
      }
      if let distance = MessageValue.differenceText(in: issue.message)
        ?? lastReadText(of: issue, contents.stories[test.id])
      {
        lines.append(TerminalLine(distance))
      }
      guard let excerpt = issue.location.flatMap({ contents.sources[$0] }) else { continue }
      lines += excerpt.lines.enumerated().map { index, text in
        let number = excerpt.firstLine + index
        let isMarked = number == excerpt.markedLine
        return TerminalLine(
          "\(isMarked ? ">" : " ")\(padded(String(number), to: 5, with: " "))  \(text)",
          isMarked ? .odd : .soft)
      }
    }
    if issues.count > 10 { lines.append(TerminalLine(counted(issues.count - 10, "more issue"))) }
    lines += test.crashLines.map { TerminalLine($0, .failed) }
    if lines.isEmpty {
      lines += [remark(on: test), test.remarkInList(contents.sources)].compactMap { $0 }.prefix(1).map {
        TerminalLine($0)
      }
    }
    return lines
  }
}

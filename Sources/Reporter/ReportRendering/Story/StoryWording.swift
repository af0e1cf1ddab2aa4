import Collector
import ExhibitSQLite
import ReportInspection
import ReportModel
import ReportPlaces
import ReportStory

/// The wording of a story, alike on pages, in the terminal and in Markdown.
extension Story {
  /// The test's changes in one sentence.
  ///
  /// - Parameter nothing: The sentence where there are none.
  func changeText(orElse nothing: @autoclosure () -> String) -> String {
    let told = source == .trace ? [changes.sentence, statesSentence] : [statesSentence]
    let sentence = told.filter { !$0.isEmpty }.joined(separator: "; ")
    return sentence.isEmpty ? nothing() : sentence
  }

  /// The same, or why there is none.
  var changeText: String { changeText(orElse: nothingText) }

  /// The story in short, where tests are listed; `nil` where nothing is known of it.
  ///
  /// Changes are told from the baseline on: without one nobody knows where the set-up ends.
  var briefText: String? {
    guard source != .none else { return nil }
    let mayHaveSetUp = source == .trace && !hasBaseline
    if !mayHaveSetUp || changes.sentence.isEmpty { return changeText }
    return statesSentence.isEmpty ? nil : statesSentence
  }

  private var nothingText: String {
    if source == .none { return "Nothing is known of what the test did." }
    return steps.isEmpty && source == .trace ? "No statement was recorded." : "No row was changed."
  }

  /// The file that has what is not shown; `nil` where there is none.
  var record: String? { source == .trace ? "story.jsonl" : nil }

  /// The sentence on its source; `nil` for a trace and for none.
  var sourceText: String? {
    switch source {
    case .trace, .none: nil
    case .uncommittedCopy:
      "From the copy with uncommitted rows against the committed one; statements were not recorded."
    case .baseline: "From the captured database against its baseline; statements were not recorded."
    case .fixture: "From the captured database against the fixture it began as; statements were not recorded."
    }
  }

  /// `2 odd steps`: those that are rare; `nil` where none is.
  var oddText: String? {
    let count = rareOddSteps { markText($0) }.groups.reduce(0) { $0 + $1.count }
    return count > 0 ? counted(count, "odd step") : nil
  }

  /// `17 steps`, and on what.
  var tally: String? {
    guard source == .trace, stepCount > 0 else { return nil }
    let names = databases.prefix(3).map(\.name)
    let more = databases.count > 3 ? ["\(grouped(databases.count - 3)) more"] : []
    return ([counted(stepCount, "step")] + names + more).map(visibleOnOneLine).joined(separator: " · ")
  }

  func name(ofDatabase index: Int) -> String {
    databases.indices.contains(index) ? databases[index].name : "an unknown database"
  }

  /// `orders`, or `orders of shop.sqlite` where it is of another database than what is spoken of.
  ///
  /// - Parameter database: Index in `databases`; `nil` for a story whose changes are all of one.
  func name(of table: StoryTable, in database: Int? = nil) -> String {
    let isPlain =
      database.map { $0 == table.database } ?? (Set(changes.tables.map(\.table.database)).count <= 1)
    return isPlain ? table.name : "\(table.name) of \(name(ofDatabase: table.database))"
  }

  /// The reason for a mark, to follow the step's number in a sentence.
  func text(of mark: StoryMark) -> String { markText([mark]) }

  /// The same around the number of another step that it names.
  ///
  /// - Parameter step: The one that is marked, of which the error and the rejected row are told; `nil` where these are told
  ///   elsewhere.
  func words(of mark: StoryMark, in step: StoryStep? = nil) -> (before: String, step: Int?, after: String) {
    switch mark {
    case .changedNothing: (step?.nothingText ?? "changed no row", nil, "")
    case .triggerChangedNothing(let trigger, let table):
      ("ran trigger \(trigger), which changed no row of \(table)", nil, "")
    case .swallowedError:
      ("failed\(step?.errorText.map { " (\($0))" } ?? ""), and the test went on", nil, "")
    case .readNothing: ("returned no row", nil, "")
    case .tookAlong(let objects, let table, let madeAgain):
      (
        "took along \(listed(objects))\(madeAgain == nil ? "" : "; ")", madeAgain,
        madeAgain == nil ? "" : " made \(table) anew without \(objects.count == 1 ? "it" : "them")"
      )
    case .staleRead(let commit, let connection):
      (
        "read what was so before ", commit,
        " of connection \(connection): its transaction is older than that commit"
      )
    case .otherDatabase(let around):
      (
        "is about another database than the statements around it, which are about \(name(ofDatabase: around))",
        nil, ""
      )
    }
  }

  /// The reasons for some of a step's marks, with the error where nothing else tells it.
  func markText(_ marks: [StoryMark], of step: StoryStep? = nil) -> String {
    marks.map { mark in
      let (before, other, after) = words(of: mark, in: step)
      return before + (other.map { "step \($0)" } ?? "") + after
    }.joined(separator: "; ")
  }

  /// The place of a value of the message, in words.
  func text(of place: MessageValuePlace.Location) -> String {
    switch place {
    case .result(let step, let row, let column):
      return "step \(step), \(resultColumn(step, column)) in row \(row + 1) of the result"
    case .change(let step, let table, let key, let column, let isNew):
      let row = key.map { ", row \($0)" } ?? ""
      return "step \(step), \(isNew ? "new" : "old") \(column) of \(name(of: table))\(row)"
    case .resultSum(let step, let column):
      return "the sum of \(resultColumn(step, column)) in the result of step \(step)"
    case .tableSum(let table, let column): return "the sum of \(column) of \(name(of: table)), as captured"
    }
  }

  private func resultColumn(_ step: Int, _ column: Int) -> String {
    (self[step: step]?.columns ?? []).columnName(column)
  }
}

extension StoryStep {
  /// `inserted nothing: book 7 has stock 1, “stock > 1” rejects it`.
  fileprivate var nothingText: String? {
    rejection.map { rejection in
      let verb =
        switch sql.prefix(6).uppercased() {
        case "UPDATE": "updated"
        case "DELETE": "deleted"
        default: "inserted"
        }
      return "\(verb) nothing: \(rejection)"
    }
  }
}

extension OddSteps {
  /// `8 earlier ones`: those that are not named; `nil` where all are.
  var unnamedText: String? {
    unnamed > 0 ? "\(grouped(unnamed)) earlier \(unnamed == 1 ? "one" : "ones")" : nil
  }
}

extension StoryHighlight {
  /// The kind of thing in one or two words.
  ///
  /// - Parameter isLast: True when nothing of its kind follows.
  func title(isLast: Bool) -> String {
    switch kind {
    case .wrote: isLast ? "Written last" : "Written before"
    case .failed: "Failed"
    case .read: isLast ? "Read last" : "Read before"
    }
  }

  /// Its steps as a reader counts them.
  var stepsText: String {
    first == last ? "step \(last)" : "steps \(first) to \(last)"
  }

  /// The end of its transaction, where a reader should see that.
  var stateText: String? {
    switch state {
    case .open: "not committed"
    case .rolledBack: "rolled back"
    case .unexplained: "by another process, connection or test"
    case .single, .committed, .inWAL: nil
    }
  }
}

extension LikeChanges {
  /// `2 rows added`, or what they changed in.
  func title(_ columns: [String]) -> String {
    let rows = "\(counted(count, "row")) \(change.operation.word)"
    guard change.operation == .update else { return rows }
    return "\(rows) in \(listed(change.columns.map(columns.columnName), most: 6))"
  }
}

extension MessageValue {
  /// The value's role in the message.
  func roleText(_ operands: NamedOperands?) -> String {
    switch role {
    case .operand(let label): label.isEmpty ? "in the message" : operands?.name(for: label) ?? label
    case .difference: "difference"
    case .printed: "in the message"
    }
  }

  /// The sign of the value at an index: a circled number.
  static func sign(_ index: Int) -> String {
    Unicode.Scalar(UInt32(0x2460 + min(index, 19))).map { String(Character($0)) } ?? "\(index + 1)"
  }
}

extension StoryGroup {
  /// The kind of group, and how it ended.
  var title: String {
    let state =
      switch state {
      case .single: "Outside of a transaction"
      case .committed: "Transaction, committed"
      case .rolledBack: "Transaction, rolled back"
      case .open: "Transaction, not committed"
      case .inWAL: "Committed transactions, as the WAL has them"
      case .unexplained: "Committed by another process, connection or test"
      }
    return isContinued ? "\(state) (it began before the failure)" : state
  }

  /// True when a reader should see that it is unlike the others.
  var isOdd: Bool { [.open, .rolledBack, .unexplained].contains(state) }

  func place(in story: Story) -> String {
    connection == 0 || !story.sharedDatabases.contains(database)
      ? story.name(ofDatabase: database) : "\(story.name(ofDatabase: database)) · connection \(connection)"
  }
}

/// `2 rows changed, 5 rows`; `nil` where there was none of either.
func totalsText(rows: Int, changed: Int) -> String? {
  joined(
    [changed > 0 ? "\(counted(changed, "row")) changed" : nil, rows > 0 ? counted(rows, "row") : nil],
    by: ", ")
}

extension Repeated {
  /// The rows of all times together.
  var totalsText: String? {
    ReportRendering.totalsText(rows: rows.reduce(0, +), changed: changed.reduce(0, +))
  }
}

extension Explanation {
  var certaintyText: String {
    switch certainty {
    case .proven: "Proven"
    case .certain: "Certain"
    case .likely: "Likely"
    case .tried: "Tried"
    }
  }

  /// The sentence, and the first of its rows.
  var printed: [TerminalLine] {
    [TerminalLine("\(certaintyText): \(text)", .odd)] + (rows.map { $0.printed(names, indent: "  ") } ?? [])
  }
}

extension Story {
  /// What the leading read is called: only where its result has the value, that comes from it.
  func leadingReadTitle(_ read: StoryHighlight) -> String {
    guard read.last == originStep else {
      return readingLine.map { "Read by line \($0)" } ?? read.title(isLast: true)
    }
    return isOriginCertain ? "Where the value comes from" : "Read for the row with the value"
  }
}

extension RelatedRows {
  private static let mostColumns = 8

  /// Its rows, with what the rows are called to which foreign keys lead.
  func printed(_ names: ReferenceNames, indent: String) -> [TerminalLine] {
    let writing = step.map { ", written in step \($0)" } ?? ""
    var lines = [TerminalLine("\(indent)\(title)\(writing)\(rows.isEmpty ? "" : ":")", .soft)]
    lines += rows.enumerated().map { index, row in
      let label = labels[safe: index].map { "\($0): " } ?? ""
      let cells = zip(columns, row).prefix(Self.mostColumns).map { column, value in
        "\(column) \(value.shortText)\(names[table, column, value].map { " (\($0))" } ?? "")"
      }
      return TerminalLine("\(indent)  \(label)" + cells.joined(separator: ", "), .soft)
    }
    if let count, count > rows.count {
      lines.append(TerminalLine("\(indent)  … \(grouped(count - rows.count)) more", .soft))
    }
    return lines
  }
}

/// The place in the code of the step that a test's failure is about, for outputs that have a line for it.
struct FailingPlace {
  private let kind: StoryHighlight.Kind
  let place: Place

  /// - Returns: `nil` where it is not known, or is the place of the failure itself.
  init?(of test: TestResult, in story: Story?) {
    guard let step = story?.failingStep,
      step.place.reference == nil || step.place.reference != test.leadingIssue?.location
    else { return nil }
    (kind, place) = (step.kind, step.place)
  }

  /// The words before the place.
  var title: String {
    switch kind {
    case .failed: "statement failed at"
    case .read: "last read at"
    case .wrote: "last write at"
    }
  }

  /// `Last read at Depot.swift:212 in Depot.units(of:)`.
  var sentence: String { capitalized(title) + " " + shortened(place.lineFirst, to: 300) }
}

extension TestIssue {
  /// The source of the place, where the test library told none.
  var placeNote: String? {
    switch placeOrigin {
    case .framework: nil
    case .step: "by the stack of the step that failed"
    case .crash where location == nil: nil
    case .crash:
      caller.flatMap { $0 == location ? nil : "by the backtrace, from \($0.shortText)" } ?? "by the backtrace"
    }
  }
}

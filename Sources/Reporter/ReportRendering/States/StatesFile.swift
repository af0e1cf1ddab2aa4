import Collector
import ExhibitSQLite
import ExhibitSystem
import ReportInspection
package import ReportModel
package import ReportStory

/// Bytes that the changes of one test may take in the page's data.
private let mostStateBytes = 4 << 20

/// The data from which `states.js` tells the tables of a test's databases after any step, as it is written: of many
/// tests it would take too much memory.
package struct StatesData: Sendable {
  private enum Contents {
    case aside(SetAside.Piece)
    case here([UInt8])
  }

  /// The data that docs/states-data.md describes.
  private let contents: Contents
  /// The captured files of which any step is told, by their paths in the report's folder.
  fileprivate let evidence: Set<String>

  /// - Parameter aside: The place where it waits until it is written; `nil` for memory.
  /// - Returns: `nil` where nothing is told.
  package init?(_ timelines: [StateTimeline], of test: TestResult, _ aside: SetAside?) {
    guard !timelines.isEmpty else { return nil }
    var room = mostStateBytes
    var text = JSONText(.script)
    text.array { text in
      for timeline in timelines {
        guard let place = test.evidence.firstIndex(where: { $0.path == timeline.evidence }) else { continue }
        text.array { timeline.write(number: place + 1, to: &$0, &room) }
      }
    }
    contents = text.withBytes { bytes in
      // A disk without room for it says so when the report is written.
      guard let piece = try? aside?.put(bytes) else { return .here(Array(bytes)) }
      return .aside(piece)
    }
    evidence = Set(timelines.filter { !$0.steps.isEmpty }.map(\.evidence))
  }

  /// - Throws: `SystemError`.
  fileprivate func bytes() throws(SystemError) -> [UInt8] {
    switch contents {
    case .aside(let piece): try piece.bytes()
    case .here(let bytes): bytes
    }
  }
}

/// The states of a test's databases for its page; `nil` where none are told.
///
/// It calls `exhibit.addStates([…])`.
///
/// - Throws: `SystemError`.
func statesFile(of test: TestResult, in context: PageContext) throws(SystemError) -> ReportFile? {
  guard let path = statesPath(of: test, in: context), let states = context.contents.states[test.id] else {
    return nil
  }
  let script = DataScript(path: path, function: "addStates", arguments: "")
  return try states.bytes().withUnsafeBufferPointer(script.file(json:))
}

/// The path of the file in the report; `nil` for a test of which no states are told.
func statesPath(of test: TestResult, in context: PageContext) -> String? {
  guard context.contents.states[test.id] != nil, context.single == nil else { return nil }
  return context.names.stem(of: test).map { "data/states/\($0).js" }
}

extension ReportContents {
  /// Says whether the states of a captured database are told.
  func hasStates(_ evidence: TestEvidence, of test: TestResult) -> Bool {
    evidence.path.map { states[test.id]?.evidence.contains($0) == true } == true
  }
}

extension StateTimeline {
  /// Appends what the script takes for one database, as elements.
  ///
  /// - Parameters:
  ///   - number: That of its evidence on the page.
  ///   - room: Bytes that changes may still take.
  func write(number: Int, to text: inout JSONText, _ room: inout Int) {
    text.element(number)
    text.element(visibility.captured)
    text.element(visibility.showsOpen ? 1 : 0)
    text.element(bound?.sentence ?? "")
    text.element(firstStep ?? -1)
    text.array(nil, steps) { text, step in
      text.array { step.write(visibility.spans[step.place], to: &$0) }
    }
    let places = Dictionary(uniqueKeysWithValues: steps.enumerated().map { ($1.place, $0) })
    text.array(nil, bound == nil ? tables : []) { text, table in
      text.array { table.write(places, to: &$0, &room) }
    }
  }

  /// Appends a rowid, `["k", …]` with the values of a primary key, or `null`.
  static func write(_ key: RowKey?, to text: inout JSONText) {
    switch key {
    case nil: text.plain("null")
    case .rowid(let number)?: RowText.append(number, to: &text)
    case .values(let values)?:
      text.array { text in
        text.element("k")
        for value in values { RowText.append(value, to: &text) }
      }
    }
  }
}

extension StateTimeline.Step {
  fileprivate func write(_ span: StepVisibility.Span, to text: inout JSONText) {
    text.element(span.born)
    text.element(self.text)
    text.element(span.connection)
    text.element(span.born)
    text.element(span.committed == .max ? -1 : span.committed)
    text.element(span.taken == .max ? -1 : span.taken)
    text.element(bound?.sentence ?? "")
    text.element(isWrite ? 1 : 0)
  }
}

extension TableTimeline {
  /// - Parameter places: The places of steps among those that are written, by their places in the story.
  fileprivate func write(_ places: [Int: Int], to text: inout JSONText, _ room: inout Int) {
    let size = events.reduce(0) { $0 + $1.roughSize }
    let fits = size <= room
    if fits { room -= size }
    text.element(name)
    text.array(nil, columns) { $0.element($1) }
    text.element(hasRowid ? 1 : 0)
    text.element(isCaptured ? 1 : 0)
    text.element(
      bound?.sentence
        ?? (fits ? "" : "Its changes have no room in the page; `reporter show TEST --step N` tells them."))
    text.element(unseenBefore.map { $0 == .max ? -2 : $0 } ?? -1)
    text.array { text in
      guard fits else { return }
      for event in events {
        guard let place = places[event.place] else { continue }
        text.array { event.write(place, to: &$0) }
      }
    }
  }
}

extension TableEvent {
  /// Bytes that it takes, roughly.
  fileprivate var roughSize: Int {
    guard case .row(let change) = kind else { return 80 }
    return (change.old + change.new).reduce(20) { $0 + ($1?.roughSize ?? 5) }
  }

  /// - Parameter place: The place of its step among those that are written.
  fileprivate func write(_ place: Int, to text: inout JSONText) {
    text.element(place)
    text.element(isFixed ? step : -1)
    switch kind {
    case .row(let change):
      text.element(0)
      StateTimeline.write(change.before, to: &text)
      StateTimeline.write(change.after, to: &text)
      for values in [change.old, change.new] {
        text.array(nil, values) { RowText.append($1, to: &$0) }
      }
      text.element(change.depth)
    case .dropped(let bound): write(1, bound, to: &text)
    case .made(let bound): write(2, bound, to: &text)
    case .barrier(let bound): write(3, bound, to: &text)
    }
  }

  private func write(_ kind: Int, _ bound: StateBound?, to text: inout JSONText) {
    text.element(kind)
    text.element(bound?.sentence ?? "")
  }
}

extension DatabaseValue {
  fileprivate var roughSize: Int {
    switch self {
    case .null: 5
    case .integer, .real: 10
    case .text(let text, _): text.utf8.count + 3
    case .blob(let bytes, _): bytes.count * 4 / 3 + 20
    }
  }
}

package import Collector
import ExhibitSQLite
import ExhibitSystem
package import Foundation
import ReportModel

/// The result of reading a file `story.jsonl`, whatever was in it.
package struct StoryFile: Sendable {
  package var story: RecordedStory?
  package var problems: [Problem] = []

  package struct Limits: Sendable {
    package var bytes = 256 << 20
    var lineBytes = 16 << 20
    /// Steps, the last ones; of other kinds of lines so many each.
    var steps = 20_000
    var changes = 200_000
    /// In changes and results together.
    var values = 5_000_000
    var columns = 2_000

    package init() {}
  }

  /// Something that a reader of the story has to be told.
  package enum Problem: Sendable, Equatable {
    /// Nothing was read.
    case headerMissing
    /// Nothing was read, for its size.
    case tooLarge(Int)
    /// It is of another version of the format: it was not read, or something in it could not be.
    case format(FormatRefusal)
    /// Counted from 1.
    case unreadableLine(Int)
    /// The process died while it wrote it.
    case partialLastLine
    /// With a sentence on what was not read.
    case cut(String)

    package var isFault: Bool {
      switch self {
      case .headerMissing, .tooLarge, .format: true
      case .unreadableLine, .partialLastLine, .cut: false
      }
    }

    package var message: String {
      switch self {
      case .headerMissing: "The first line of the story is not that of a story, so nothing was read of it."
      case .tooLarge(let bytes): "The story has \(sizeText(bytes)), so nothing was read of it."
      case .format(let refusal): "\(refusal)"
      case .unreadableLine(let line):
        "Line \(line) of the story says nothing that can be read and was left out."
      case .partialLastLine: "The last line of the story was not written to its end."
      case .cut(let words): words
      }
    }
  }

  package init(tooLarge bytes: Int) {
    problems = [.tooLarge(bytes)]
  }

  /// Reads bytes that may be anybody's; kinds of lines that it does not know are skipped.
  package init(_ bytes: Data, limits: Limits = Limits()) {
    guard bytes.count <= limits.bytes else {
      problems = [.tooLarge(bytes.count)]
      return
    }
    var reading = StoryReading(limits)
    bytes.withUnsafeBytes { reading.read($0.bindMemory(to: UInt8.self)) }
    (story, problems) = reading.result
  }
}

private struct StoryReading {
  private let limits: StoryFile.Limits
  private var story = RecordedStory()
  private var hasBegun = false
  private var problems: [StoryFile.Problem] = []
  private var places: [Int: Int] = [:]
  private var statements: [String: String] = [:]
  private var changes = 0
  private var values = 0
  private var unreadable = 0
  private var isCut = false
  /// The version of the format, as the first line says it.
  private var format = ArtifactsFormat.current

  init(_ limits: StoryFile.Limits) { self.limits = limits }

  var result: (RecordedStory?, [StoryFile.Problem]) {
    guard hasBegun else { return (nil, problems) }
    var (story, problems) = (story, problems)
    let count = story.steps.count
    if count > limits.steps {
      story.steps.removeFirst(count - limits.steps)
      story.missing += count - limits.steps
      problems.append(
        .cut("The story has \(counted(count, "step")); the last \(grouped(limits.steps)) are told."))
    }
    if isCut {
      problems.append(.cut("The story has more than is read of one; the rest was counted or left out."))
    }
    if unreadable > Self.mostNamed {
      problems.append(
        .cut("\(counted(unreadable - Self.mostNamed, "more line")) of the story cannot be read."))
    }
    if unreadable > 0, let later = ArtifactsFormat.laterMinor(format) { problems.append(.format(later)) }
    return (story, problems)
  }

  private static let mostNamed = 5

  mutating func read(_ bytes: UnsafeBufferPointer<UInt8>) {
    var (start, number) = (0, 0)
    while start < bytes.count {
      let end = bytes.first(UInt8(ascii: "\n"), from: start)
      let line = UnsafeBufferPointer(rebasing: bytes[start..<(end ?? bytes.count)])
      (start, number) = ((end ?? bytes.count) + 1, number + 1)
      if line.isEmpty { continue }
      let told = line.count <= limits.lineBytes ? StoryLine(line) : nil
      if !hasBegun {
        guard begin(told) else { return }
        continue
      }
      if let told, add(told) { continue }
      if end == nil { problems.append(.partialLastLine) } else { noteUnreadable(number) }
    }
    if !hasBegun { problems = [.headerMissing] }
  }

  private mutating func noteUnreadable(_ line: Int) {
    unreadable += 1
    if unreadable <= Self.mostNamed { problems.append(.unreadableLine(line)) }
  }

  /// - Returns: False unless it is the first line of a story that can be read.
  private mutating func begin(_ line: StoryLine?) -> Bool {
    guard let line, line.kind == StoryHead.kind, let head: StoryHead = line.content(),
      let format = head.format
    else {
      problems = [.headerMissing]
      return false
    }
    do throws(FormatRefusal) {
      try ArtifactsFormat.check(format)
    } catch {
      problems = [.format(error)]
      return false
    }
    self.format = format
    (story.test, story.missing) = (head.test, head.missing)
    (story.withoutChanges, story.withoutSteps) = (head.withoutChanges, head.withoutSteps)
    hasBegun = true
    return true
  }

  /// - Returns: False for a line that cannot be read.
  private mutating func add(_ line: StoryLine) -> Bool {
    switch line.kind {
    case RecordedStory.Step.kind: return addStep(line.content(columns: limits.columns))
    case ChangeOfStep.kind: return addChange(line.content(columns: limits.columns))
    case RecordedStory.Database.kind: return append(line.content(), to: \.databases)
    case RecordedStory.Overwritten.kind: return append(line.content(), to: \.overwritten)
    case RecordedStory.Left.kind: return append(line.content(), to: \.left)
    case RecordedStory.Code.kind: return append(line.content(), to: \.code)
    case RecordedStory.Stack.kind: return append(line.content(), to: \.stacks)
    case RecordedStory.Issue.kind: return append(line.content(), to: \.issues)
    case RecordedStory.Baseline.kind: return append(line.content(), to: \.baselines)
    case RecordedStory.Opened.kind: return append(line.content(), to: \.opened)
    case RecordedStory.Closed.kind: return append(line.content(), to: \.closed)
    case StoryEnd.kind: story.isWhole = true
    default: break
    }
    return true
  }

  private mutating func append<Element>(
    _ element: Element?, to list: WritableKeyPath<RecordedStory, [Element]>
  ) -> Bool {
    guard let element else { return false }
    if story[keyPath: list].count >= limits.steps {
      isCut = true
    } else {
      story[keyPath: list].append(element)
    }
    return true
  }

  private mutating func addStep(_ step: RecordedStory.Step?) -> Bool {
    guard let step, places[step.number] == nil else { return false }
    // Half of them go at once, so that each moves once.
    if story.steps.count >= 2 * limits.steps {
      story.steps.removeFirst(limits.steps)
      story.missing += limits.steps
      places = [:]
      for (place, step) in story.steps.enumerated() { places[step.number] = place }
    }
    values += step.results.reduce(0) { $0 + $1.count }
    if values > limits.values { (step.results, isCut) = ([], true) }
    if let known = statements[step.sql] { step.sql = known } else { statements[step.sql] = step.sql }
    places[step.number] = story.steps.count
    story.steps.append(step)
    return true
  }

  private mutating func addChange(_ told: ChangeOfStep?) -> Bool {
    guard let told else { return false }
    // The step was left out.
    guard let place = places[told.step] else { return true }
    let step = story.steps[place]
    guard changes < limits.changes, values < limits.values else {
      step.unkept += 1
      isCut = true
      return true
    }
    var change = told.change
    if let column = change.blobColumn {
      // SQLite tells a write through a blob handle as a deletion.
      (change.operation, change.new) = (.update, change.old)
      if change.new.indices.contains(column) { change.new[column] = nil }
    }
    // One copy of what an update left alone.
    for column in change.new.indices
    where column < change.old.count && change.new[column] == change.old[column] {
      change.new[column] = change.old[column]
    }
    changes += 1
    values += change.old.count + change.new.count
    step.changes.append(change)
    return true
  }
}

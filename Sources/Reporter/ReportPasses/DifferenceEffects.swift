import Collector
import ExhibitSQLite
import ReportModel
import ReportStory

/// The differences that did something else, and those that had no effect of their own.
struct DifferenceEffects {
  private let entries: [ComparedStories.Entry]
  private let end: Int
  /// By the texts of both statements, the first entry at which they did something else.
  private var ofTexts: [[String]: Int] = [:]
  /// Reads, by statement and functions, that read the same rows in all, in other portions.
  private var portioned: Set<[String]> = []

  /// - Parameter end: The last entry that says something of the failure.
  init(_ entries: [ComparedStories.Entry], until end: Int) {
    (self.entries, self.end) = (entries, end)
    for index in entries[...end].indices {
      guard let difference = entries[index].difference, difference.kinds.contains(.text),
        difference.kinds != [.text] || entries[index].isUnknownEffect, let texts = entries[index].texts,
        ofTexts[texts] == nil
      else { continue }
      ofTexts[texts] = index
    }
    findPortions()
  }

  /// The place of the first entry at which a difference did something else; `nil` where it had no effect of its own.
  ///
  /// A statement that is written otherwise may do the same at first, or always.
  func first(of index: Int) -> Int? {
    let entry = entries[index]
    if [entry.failed, entry.passed].allSatisfy({ $0?.isPlainIndex != false }) { return nil }
    if let group = entry.group, entry.isOtherPortion, portioned.contains(group) { return nil }
    guard entry.difference?.kinds == [.text], !entry.isMoved, !entry.isUnknownEffect, let texts = entry.texts
    else {
      return index
    }
    return ofTexts[texts]
  }

  // MARK: - The same rows in other portions

  private mutating func findPortions() {
    let groups = Set(entries[...end].lazy.filter(\.isOtherPortion).compactMap(\.group))
    guard !groups.isEmpty else { return }
    var portions: [[String]: (failed: Portions, passed: Portions)] = [:]
    for entry in entries[...end] {
      guard let group = entry.group, groups.contains(group) else { continue }
      if let step = entry.failed { portions[group, default: (.init(), .init())].failed.add(step) }
      if let step = entry.passed { portions[group, default: (.init(), .init())].passed.add(step) }
    }
    portioned = Set(portions.filter { $0.value.failed.isSame(as: $0.value.passed) }.keys)
  }

  /// The rows that several reads returned, one behind the other.
  private struct Portions {
    var count = 0
    /// Those that are kept, by their places.
    var rows: [Int: [Story.Value?]] = [:]

    mutating func add(_ step: ToldSteps.Step) {
      for (place, row) in step.recorded.results.enumerated() { rows[count + place] = row }
      count += step.recorded.rows ?? step.recorded.results.count
    }

    func isSame(as other: Portions) -> Bool {
      guard count == other.count else { return false }
      let common = rows.filter { other.rows[$0.key] != nil }
      return !common.isEmpty && common.allSatisfy { Self.isAlike($0.value, other.rows[$0.key] ?? []) }
    }

    private static func isAlike(_ row: [Story.Value?], _ other: [Story.Value?]) -> Bool {
      row.count == other.count
        && zip(row, other).allSatisfy { value, otherValue in
          guard value != otherValue, case .text(let text, _)? = value, case .text(let other, _)? = otherValue
          else { return value == otherValue }
          return VaryingText(text).shape == VaryingText(other).shape
        }
    }
  }
}

extension ComparedStories.Entry {
  /// The statements of both sides.
  fileprivate var texts: [String]? {
    guard let failed, let passed else { return nil }
    return [failed.sql, passed.sql]
  }

  /// True when nobody knows whether it did something else: it changes the schema or a setting, or its rows are not told.
  fileprivate var isUnknownEffect: Bool {
    guard let failed, let passed else { return true }
    func isTold(_ step: ToldSteps.Step) -> Bool {
      let recorded = step.recorded
      if recorded.isWithheld { return false }
      if step.text.isWrite { return recorded.changed == 0 || !recorded.changes.isEmpty }
      return step.text.kind == .select && recorded.rows == recorded.results.count
    }
    return !isTold(failed) || !isTold(passed)
  }

  /// True when it is a read that was given other values, or returned other rows, at most.
  fileprivate var isOtherPortion: Bool {
    guard step?.isRead == true, let difference else { return false }
    return difference.kinds.allSatisfy { kind in
      switch kind {
      case .value, .rowsRead: true
      default: false
      }
    }
  }

  /// The statement and functions that read portions of the same rows.
  fileprivate var group: [String]? {
    guard let step = failed ?? passed, step.isRead else { return nil }
    return [step.bareStatement, step.functions]
  }
}

extension ToldSteps.Step {
  /// True when it makes or drops an index that forbids nothing.
  fileprivate var isPlainIndex: Bool {
    switch text.kind {
    case .create("INDEX", _): !SQLToken.all(in: sql).prefix(2).contains { $0.folded == "UNIQUE" }
    default: false
    }
  }
}

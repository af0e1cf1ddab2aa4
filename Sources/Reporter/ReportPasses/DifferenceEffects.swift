import Collector
import ExhibitSQLite
import ReportModel
import ReportStory

/// Tells differences with an effect from those without one.
struct DifferenceEffects {
  private let entries: [ComparedStories.Entry]
  private let end: Int
  /// By both statements, the first entry with another effect.
  private var ofTexts: [[String]: Int] = [:]
  /// Reads (statement and functions) that returned the same rows overall, in other portions.
  private var portioned: Set<[String]> = []

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

  /// The first entry where a difference had an effect, if any.
  ///
  /// A rewritten statement may behave equally at first, or always.
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

  /// The concatenated rows of several reads.
  private struct Portions {
    var count = 0
    var rows: [Int: [DatabaseValue?]] = [:]

    mutating func add(_ step: ToldSteps.Step) {
      for (place, row) in step.recorded.results.enumerated() { rows[count + place] = row }
      count += step.recorded.rows ?? step.recorded.results.count
    }

    func isSame(as other: Portions) -> Bool {
      guard count == other.count else { return false }
      let common = rows.filter { other.rows[$0.key] != nil }
      return !common.isEmpty && common.allSatisfy { Self.isAlike($0.value, other.rows[$0.key] ?? []) }
    }

    private static func isAlike(_ row: [DatabaseValue?], _ other: [DatabaseValue?]) -> Bool {
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
  fileprivate var texts: [String]? {
    guard let failed, let passed else { return nil }
    return [failed.sql, passed.sql]
  }

  /// True when the effect is unknown: schema changes, settings, or rows that were not recorded.
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

  /// True for a read with other values or rows only.
  fileprivate var isOtherPortion: Bool {
    guard step?.isRead == true, let difference else { return false }
    return difference.kinds.allSatisfy { kind in
      switch kind {
      case .value, .rowsRead: true
      default: false
      }
    }
  }

  fileprivate var group: [String]? {
    guard let step = failed ?? passed, step.isRead else { return nil }
    return [step.bareStatement, step.functions]
  }
}

extension ToldSteps.Step {
  /// True for creating or dropping an index that is not unique.
  fileprivate var isPlainIndex: Bool {
    switch text.kind {
    case .create("INDEX", _): !SQLToken.all(in: sql).prefix(2).contains { $0.folded == "UNIQUE" }
    default: false
    }
  }
}

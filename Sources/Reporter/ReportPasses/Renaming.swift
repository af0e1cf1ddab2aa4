import ExhibitSQLite
import ReportStory

/// The values of a failed run that stand for others of the pass, as far as the steps have told.
///
/// Identifiers that runs make anew are renamed one to one throughout; moments lie as far from the run's start. All other
/// values have to be equal.
struct Renaming {
  /// The scope in which identifiers are told apart: a table's keys, or all texts.
  typealias Domain = String
  private static let texts: Domain = ""
  /// Seconds by which two moments of runs that began at known times may differ.
  private static let exactly = 5.0
  /// Within these a number may be a moment: in seconds and in milliseconds since 1970, and as a Julian day.
  private static let (seconds, days) = (1e9..<4e9, 2_440_587.5..<2_480_000.0)

  private var passed: [Domain: [Story.Value: Story.Value]] = [:]
  private var failed: [Domain: [Story.Value: Story.Value]] = [:]
  /// Seconds by which the failed run began later; `nil` where that is not known.
  private let expectedShift: Double?

  /// The keys that the program gave, which stand for no others.
  private let given: (failed: GivenKeys, passed: GivenKeys)

  /// True when short identifiers are renamed too.
  private let short: Bool
  /// True when one was.
  private(set) var hasRenamedShort = false
  /// The texts around short identifiers, without digits, in which one had a letter.
  private var shortFrames: Set<String> = []

  init(_ failed: ToldSteps, _ passed: ToldSteps, expectedShift: Double?, short: Bool = false) {
    (self.expectedShift, self.short) = (expectedShift, short)
    given = (GivenKeys(failed), GivenKeys(passed))
  }

  /// True when the program gave the key of one of two inserted rows.
  func isGiven(
    _ change: ToldSteps.Change, of step: ToldSteps.Step, _ other: ToldSteps.Change,
    of otherStep: ToldSteps.Step
  ) -> Bool {
    given.failed.contains(change, of: step) || given.passed.contains(other, of: otherStep)
  }

  /// Notes that a key which the failed run gave to a row is the pass's of the same row.
  ///
  /// - Returns: False where one of them is known as another row's.
  mutating func bind(_ key: Story.Value, _ other: Story.Value, in domain: Domain) -> Bool {
    let (known, knownOther) = (passed[domain]?[key], failed[domain]?[other])
    guard known == nil, knownOther == nil else { return known == other && knownOther == key }
    passed[domain, default: [:]][key] = other
    failed[domain, default: [:]][other] = key
    return true
  }

  /// True when two keys mean the same row: bound to each other, or both unbound and equal.
  func isSame(key: Story.Value, _ other: Story.Value, in domain: Domain) -> Bool {
    let (known, knownOther) = (passed[domain]?[key], failed[domain]?[other])
    if known == nil, knownOther == nil { return key == other }
    return known == other && knownOther == key
  }

  /// True when a key was bound at all, so that it means a row that the test made itself.
  func isKnown(_ key: Story.Value, in domain: Domain) -> Bool { passed[domain]?[key] != nil }

  /// True when one key of any table stands for the other.
  func isSomeKey(_ key: Story.Value, _ other: Story.Value) -> Bool {
    passed.contains { $0.key != Self.texts && $0.value[key] == other }
  }

  /// True when two values that are no keys mean the same.
  mutating func isSame(_ value: Story.Value, _ other: Story.Value) -> Bool {
    switch (value, other) {
    case (.text(let text, _), .text(let otherText, _)):
      return isSame(text, otherText)
    case (.blob(let bytes, _), .blob(let others, _)):
      if bytes.count == 16, others.count == 16 { return bind(value, other, in: Self.texts) }
      return value == other
    case (.integer(let number), .integer(let otherNumber)):
      return number == otherNumber || isMoment(Double(number), Double(otherNumber))
    case (.integer, .real), (.real, .integer), (.real, .real):
      guard let number = value.number, let otherNumber = other.number else { return false }
      return isSame(number, otherNumber)
    default: return value == other
    }
  }

  /// True when two absolute paths lead to files of one name, in folders that each run may make anew.
  private mutating func isSame(path: String, _ other: String) -> Bool {
    guard path.hasPrefix("/"), other.hasPrefix("/") else { return false }
    let (folders, others) = (path.split(separator: "/"), other.split(separator: "/"))
    guard folders.count == others.count, folders.count > 2, folders.last == others.last,
      folders[0] == others[0]
    else {
      return false
    }
    for (folder, otherFolder) in zip(folders, others) where folder != otherFolder {
      guard bind(.text(String(folder)), .text(String(otherFolder)), in: Self.texts) else { return false }
    }
    return true
  }

  private mutating func isSame(_ text: String, _ other: String) -> Bool {
    if text == other || isSame(path: text, other) { return true }
    if isSame(VaryingText(text), VaryingText(other)) { return true }
    guard short else { return false }
    let (one, two) = (VaryingText(text, short: true), VaryingText(other, short: true))
    let frame = String(one.shape.map { $0.isNumber ? "0" : $0 })
    let isHexadecimal = zip(one.parts, two.parts).allSatisfy(Self.mayBeHexadecimal)
    guard isHexadecimal || shortFrames.contains(frame), isSame(one, two) else { return false }
    if isHexadecimal { shortFrames.insert(frame) }
    hasRenamedShort = true
    return true
  }

  /// True unless they are two numbers.
  ///
  /// Of eight digits that nobody wrote, one in fifty has no letter. Such ones are known by others in texts that are alike.
  private static func mayBeHexadecimal(_ part: VaryingText.Part, _ other: VaryingText.Part) -> Bool {
    guard case .identifier(let one) = part, case .identifier(let two) = other, one != two else { return true }
    return (one + two).contains { $0.isLetter }
  }

  private mutating func isSame(_ one: VaryingText, _ two: VaryingText) -> Bool {
    guard one.shape == two.shape, one.parts.count == two.parts.count else { return false }
    for (part, otherPart) in zip(one.parts, two.parts) {
      switch (part, otherPart) {
      case (.identifier(let identifier), .identifier(let otherIdentifier)):
        guard bind(.text(identifier), .text(otherIdentifier), in: Self.texts) else { return false }
      case (.moment(let moment), .moment(let otherMoment)):
        guard isSame(moment: moment, otherMoment, isDay: moment.isWholeDay && otherMoment.isWholeDay) else {
          return false
        }
      default: return false
      }
    }
    return true
  }

  private func isSame(_ number: Double, _ other: Double) -> Bool {
    number == other || isMoment(number, other)
      || (number - other).magnitude <= 1e-12 * max(number.magnitude, other.magnitude)
  }

  /// True when a number may be a moment: in seconds, in milliseconds, or as a Julian day.
  static func mayBeMoment(_ number: Double) -> Bool {
    seconds.contains(number) || seconds.contains(number / 1000)
      || days.contains(number) && number != number.rounded()
  }

  /// True when two numbers may be moments, and tell the same.
  private func isMoment(_ number: Double, _ other: Double) -> Bool {
    if Self.seconds.contains(number), Self.seconds.contains(other) {
      return isSame(moment: number, other, isDay: number.isWholeDay && other.isWholeDay)
    }
    if Self.seconds.contains(number / 1000), Self.seconds.contains(other / 1000) {
      return isSame(moment: number / 1000, other / 1000, isDay: false)
    }
    if Self.days.contains(number), Self.days.contains(other), number != number.rounded() {
      return isSame(moment: (number - 2_440_587.5) * 86_400, (other - 2_440_587.5) * 86_400, isDay: false)
    }
    return false
  }

  /// - Parameter isDay: True when both tell only the day.
  private func isSame(moment: Double, _ other: Double, isDay: Bool) -> Bool {
    let difference = moment - other
    if difference == 0 { return true }
    guard let expectedShift else { return false }
    return (difference - expectedShift).magnitude <= (isDay ? 43_200 : Self.exactly)
  }
}

extension Double {
  fileprivate var isWholeDay: Bool { truncatingRemainder(dividingBy: 86_400) == 0 }
}

import ExhibitSQLite
import ReportStory

/// Decides which values of both runs mean the same.
///
/// Identifiers that each run makes anew correspond one to one; moments are shifted by the runs' starts. All other
/// values must be equal.
struct Renaming {
  /// The scope of identifiers: a table's keys, or all texts.
  typealias Domain = String
  private static let texts: Domain = ""
  private static let exactly = 5.0
  /// Ranges of numbers that may be moments: Unix seconds and Julian days.
  private static let (seconds, days) = (1e9..<4e9, 2_440_587.5..<2_480_000.0)

  private var passed: [Domain: [DatabaseValue: DatabaseValue]] = [:]
  private var failed: [Domain: [DatabaseValue: DatabaseValue]] = [:]
  private let expectedShift: Double?

  /// Keys that programs chose; they are compared directly.
  private let given: (failed: GivenKeys, passed: GivenKeys)

  private let short: Bool
  private(set) var hasRenamedShort = false
  /// Texts around short identifiers that contain letters.
  private var shortFrames: Set<String> = []

  init(_ failed: ToldSteps, _ passed: ToldSteps, expectedShift: Double?, short: Bool = false) {
    (self.expectedShift, self.short) = (expectedShift, short)
    given = (GivenKeys(failed), GivenKeys(passed))
  }

  /// True when the program chose either row's key.
  func isGiven(
    _ change: ToldSteps.Change, of step: ToldSteps.Step, _ other: ToldSteps.Change,
    of otherStep: ToldSteps.Step
  ) -> Bool {
    given.failed.contains(change, of: step) || given.passed.contains(other, of: otherStep)
  }

  /// Equates the keys of two rows.
  ///
  /// - Returns: False when either is already bound to another.
  mutating func bind(_ key: DatabaseValue, _ other: DatabaseValue, in domain: Domain) -> Bool {
    let (known, knownOther) = (passed[domain]?[key], failed[domain]?[other])
    guard known == nil, knownOther == nil else { return known == other && knownOther == key }
    passed[domain, default: [:]][key] = other
    failed[domain, default: [:]][other] = key
    return true
  }

  /// True for keys bound to each other, or unbound and equal.
  func isSame(key: DatabaseValue, _ other: DatabaseValue, in domain: Domain) -> Bool {
    let (known, knownOther) = (passed[domain]?[key], failed[domain]?[other])
    if known == nil, knownOther == nil { return key == other }
    return known == other && knownOther == key
  }

  func isKnown(_ key: DatabaseValue, in domain: Domain) -> Bool { passed[domain]?[key] != nil }

  /// True when the keys are bound to each other in any table.
  func isSomeKey(_ key: DatabaseValue, _ other: DatabaseValue) -> Bool {
    passed.contains { $0.key != Self.texts && $0.value[key] == other }
  }

  /// True when two values other than keys correspond.
  mutating func isSame(_ value: DatabaseValue, _ other: DatabaseValue) -> Bool {
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

  /// True for paths of equally named files in folders that runs may create.
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

  /// False for two numbers without letters.
  ///
  /// One of fifty 8-digit hexadecimal identifiers has no letter; these are recognised by similar texts.
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

  static func mayBeMoment(_ number: Double) -> Bool {
    seconds.contains(number) || seconds.contains(number / 1000)
      || days.contains(number) && number != number.rounded()
  }

  /// True when both may be moments and correspond.
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

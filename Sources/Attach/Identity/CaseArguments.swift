import Collector
import ExhibitSystem
import Synchronization
import Testing

/// The arguments of a parameterised case.
///
/// `Test.Case` has no public accessor for them. They are read through its mirror; where a later toolchain names its
/// fields otherwise, there are none.
struct CaseArguments {
  private let arguments: [Any]
  /// The case's fields, read again for the discriminator, which few cases need.
  private let fields: Any
  /// The address of the array of arguments.
  fileprivate let address: UInt

  init?(_ testCase: Test.Case) {
    guard testCase.isParameterized, let kind = child("_kind", of: testCase),
      let fields = Mirror(reflecting: kind).children.first?.value,
      let array = child("arguments", of: fields), let list = array as? any Sequence
    else { return nil }
    arguments = elements(of: list)
    address = firstWord(of: array)
    self.fields = fields
  }

  /// True while arguments are described.
  ///
  /// Describing them calls their own functions. What these open or fail would otherwise ask for this case again.
  @TaskLocal static var areDescribed = false

  /// The arguments as Swift Testing prints them.
  var description: String {
    Self.$areDescribed.withValue(true) {
      arguments.compactMap { child("value", of: $0) }.map { String(describingForTest: $0) }
        .joined(separator: ", ")
    }
  }

  /// Tells cases with equal descriptions apart.
  var identity: String {
    let ids = arguments.compactMap { child("id", of: $0) }.map { "\($0)" }
    return ids.joined(separator: ",") + "#\(discriminator)"
  }

  /// The number of earlier cases in the plan with arguments that Swift Testing considers equal; mostly 0.
  var discriminator: Int { child("discriminator", of: fields) as? Int ?? 0 }
}

/// The address of a case's arguments, which identifies the case as long as a copy of it is kept.
///
/// Each statement looks it up; a description would have to be made anew each time.
struct CaseStorage: Hashable {
  private let address: UInt

  /// 1 when a case begins with the address of its arguments, 2 when it does not, 0 before the first look.
  private static let isKnown = Atomic<Int>(0)

  /// - Returns: `nil` where a later toolchain lays cases out otherwise.
  init?(_ testCase: Test.Case) {
    address = firstWord(of: testCase)
    if Self.isKnown.load(ordering: .relaxed) == 0 {
      let isSame = CaseArguments(testCase)?.address == address
      Self.isKnown.store(isSame ? 1 : 2, ordering: .relaxed)
    }
    if Self.isKnown.load(ordering: .relaxed) != 1 { return nil }
  }
}

private func firstWord(of value: some Any) -> UInt {
  withUnsafeBytes(of: value) { $0.count < MemoryLayout<UInt>.size ? 0 : $0.loadUnaligned(as: UInt.self) }
}

private func elements(of sequence: some Sequence) -> [Any] { Array(sequence) }

private func child(_ label: String, of value: Any) -> Any? {
  Mirror(reflecting: value).children.first { $0.label == label }?.value
}

/// Numbers the cases of a parameterised test whose descriptions are equal.
struct CaseOrdinals: Sendable {
  /// The ordinals of this process; `nil` before the first parameterised test, because a dictionary costs time.
  static let process = Locked<CaseOrdinals?>(nil)

  private var known: [TestCaseID: Known] = [:]

  /// Cases with equal descriptions.
  fileprivate struct Known {
    /// The first case; its identity is costly, so it is made only when a description comes again.
    let first: Test.Case
    let firstOrdinal: Int
    /// Ordinals by identity, filled when a second case has come.
    var ordinals: [String: Int] = [:]
    var taken: Set<Int> = []
    /// The least ordinal that may be free.
    var leastFree = 0
  }

  /// Returns a case's ordinal among those with equal descriptions; the same case, run again, has the same one.
  ///
  /// Cases run at once and begin in any order, so the ordinal is the case's place in the plan, as an event stream
  /// counts it. Cases that Swift Testing tells apart although their descriptions are equal are counted as they come.
  mutating func ordinal(of id: TestCaseID, _ testCase: Test.Case) -> Int {
    let arguments = CaseArguments(testCase)
    let planned = arguments?.discriminator ?? 0
    guard known[id] != nil else {
      known[id] = Known(first: testCase, firstOrdinal: planned)
      return planned
    }
    return known[id]?.ordinal(of: arguments?.identity ?? "", planned: planned) ?? planned
  }
}

extension CaseOrdinals.Known {
  fileprivate mutating func ordinal(of identity: String, planned: Int) -> Int {
    if ordinals.isEmpty { take(firstOrdinal, for: CaseArguments(first)?.identity ?? "") }
    if let same = ordinals[identity] { return same }
    while taken.contains(leastFree) { leastFree += 1 }
    let ordinal = taken.contains(planned) ? leastFree : planned
    take(ordinal, for: identity)
    return ordinal
  }

  private mutating func take(_ ordinal: Int, for identity: String) {
    taken.insert(ordinal)
    ordinals[identity] = ordinal
  }
}

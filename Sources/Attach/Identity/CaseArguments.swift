import Collector
import ExhibitSystem
import Synchronization
import Testing

/// What a parameterised case was called with.
///
/// `Test.Case` shows no arguments publicly; this reads them through its mirror and finds none where a later
/// toolchain names them otherwise.
struct CaseArguments {
  private let arguments: [Any]
  /// Holds the discriminator, which few cases need.
  private let fields: Any
  /// The address of the array with the arguments.
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

  /// Set while arguments are described.
  ///
  /// That calls functions of theirs, and what these open or fail would ask again which case it is of.
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

  /// How many earlier cases of the plan have arguments that Swift Testing takes for equal; 0 for most.
  var discriminator: Int { child("discriminator", of: fields) as? Int ?? 0 }
}

/// Where a case keeps its arguments, by which it is known again as long as a copy of it is kept.
///
/// Looked for at each statement: a description would be made anew.
struct CaseStorage: Hashable {
  private let address: UInt

  /// Whether a case begins with the address of its arguments: 1 when it does, 2 when it does not.
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
  /// Those of the tests of this process; `nil` before the first parameterised one, as its dictionary costs.
  static let process = Locked<CaseOrdinals?>(nil)

  private var known: [TestCaseID: Known] = [:]

  /// Cases whose descriptions are equal.
  fileprivate struct Known {
    /// The one that came first: its identity is costly, and needed only when a description comes again.
    let first: Test.Case
    let firstOrdinal: Int
    /// By their identities, when a second one has come.
    var ordinals: [String: Int] = [:]
    var taken: Set<Int> = []
    /// All below are taken.
    var leastFree = 0
  }

  /// The same case, run again, has the same ordinal.
  ///
  /// That is the case's place among equal ones in the plan, as an event stream counts them: cases run at once and begin
  /// in any order. Only those that Swift Testing tells apart, though their descriptions are equal, are counted as they
  /// come.
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

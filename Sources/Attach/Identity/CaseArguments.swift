import Collector
import ExhibitSystem
import Synchronization
import Testing

/// A parameterised case's arguments, read through its mirror; `nil` when its fields have changed.
struct CaseArguments {
  private let arguments: [Any]
  private let fields: Any
  fileprivate let address: UInt

  init?(_ testCase: Test.Case) {
    guard testCase.isParameterized, let fields = Self.fields(of: testCase),
      let array = child("arguments", of: fields), let list = array as? any Sequence
    else { return nil }
    arguments = elements(of: list)
    address = firstWord(of: array)
    self.fields = fields
  }

  /// Up to Swift 6.1 the case has the arguments itself, which have neither identities nor a discriminator.
  private static func fields(of testCase: Test.Case) -> Any? {
    guard let kind = child("_kind", of: testCase) else { return testCase }
    return Mirror(reflecting: kind).children.first?.value
  }

  /// True while arguments describe themselves; their statements must not ask for this case again.
  @TaskLocal static var areDescribed = false

  var description: String {
    Self.$areDescribed.withValue(true) {
      arguments.compactMap { child("value", of: $0) }.map { String(describingForTest: $0) }
        .joined(separator: ", ")
    }
  }

  var identity: String {
    let ids = arguments.compactMap { child("id", of: $0) }.map { "\($0)" }
    return ids.joined(separator: ",") + "#\(discriminator)"
  }

  var discriminator: Int { child("discriminator", of: fields) as? Int ?? 0 }
}

/// The address of a case's arguments, which identifies it while the case is kept.
struct CaseStorage: Hashable {
  private let address: UInt

  /// 1 for a case that begins with that address, 2 for another layout.
  private static let isKnown = Atomic<Int>(0)

  /// `nil` when a later toolchain lays cases out otherwise.
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

struct CaseOrdinals: Sendable {
  static let process = Locked<CaseOrdinals?>(nil)

  private var known: [TestCaseID: Known] = [:]

  fileprivate struct Known {
    let first: Test.Case
    let firstOrdinal: Int
    var ordinals: [String: Int] = [:]
    var taken: Set<Int> = []
    var leastFree = 0
  }

  /// Its place in the plan among those with equal descriptions, since cases start in any order.
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

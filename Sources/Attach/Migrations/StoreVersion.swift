import ExhibitSQLite

/// A release's version: numbers with dots, compared as numbers, so that 1.9 comes before 1.10.
public struct StoreVersion: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The version as it was written.
  public let description: String
  private let numbers: [Int]

  /// Reads a version such as `1.3.5`; `nil` for any other text.
  ///
  /// - Parameter text: Numbers separated by dots.
  public init?(_ text: some StringProtocol) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in part.allSatisfy { ("0"..."9").contains($0) } ? Int(part) : nil }
    guard !parts.isEmpty, numbers.count == parts.count else { return nil }
    self.description = String(text)
    self.numbers = numbers
  }

  /// Finds the version with the most parts, of several the last: `Folio-1.3.5.sqlite` is 1.3.5.
  init?(inFileName name: String) {
    let stem = name.dropLast(DatabaseEnding.find(in: name)?.count ?? 0)
    let isPart = { (character: Character) in character == "." || ("0"..."9").contains(character) }
    var found: StoreVersion?
    for run in stem.split(whereSeparator: { !isPart($0) }) {
      let trimmed = run.drop { $0 == "." }.reversed().drop { $0 == "." }.reversed()
      guard let version = StoreVersion(String(trimmed)) else { continue }
      if version.numbers.count >= found?.numbers.count ?? 0 { found = version }
    }
    guard let found else { return nil }
    self = found
  }

  /// 1.3 and 1.3.0 are the same version.
  public static func == (left: Self, right: Self) -> Bool { left.significant == right.significant }

  /// Compares the numbers from the first one on.
  public static func < (left: Self, right: Self) -> Bool {
    left.significant.lexicographicallyPrecedes(right.significant)
  }

  /// 1.3 and 1.3.0 have the same hash.
  public func hash(into hasher: inout Hasher) { hasher.combine(significant) }

  private var significant: ArraySlice<Int> { numbers[...(numbers.lastIndex { $0 != 0 } ?? 0)] }
}

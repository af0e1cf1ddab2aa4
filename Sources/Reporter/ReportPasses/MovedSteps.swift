import Collector
import ExhibitSQLite
import ReportModel
import ReportStory

/// Pairs steps that both runs made at different places.
///
/// Iterating a Dictionary or racing tasks runs equal statements in another order; pairing by order would mix up their
/// values.
struct MovedSteps {
  private struct Content: Hashable {
    var kin: String
    /// Functions, kind of statement and table; empty without stacks.
    var way: String
    /// Given and written values without generated keys and varying parts.
    var values: [String]

    init(_ step: ToldSteps.Step, _ keys: KeyPairs, usesPlaces: Bool) {
      kin = "\(usesPlaces ? step.functions : "")\n\(step.bareStatement.lowercased())"
      let table = step.text.target ?? step.firstTable
      way = usesPlaces ? table.map { "\(step.functions)\n\(step.text.kind)\n\($0.lowercased())" } ?? "" : ""
      values =
        keys.literals(of: step)
        + step.written.lazy.filter { $0.told.depth == 0 }.prefix(4).flatMap(keys.content)
    }

    /// The number of equal values by position.
    ///
    /// Earlier positions weigh more, since names precede amounts.
    func likeness(_ other: Content) -> Int {
      zip(values, other.values).enumerated().reduce(0) { sum, pair in
        pair.element.0 == pair.element.1 ? sum + 1000 - min(pair.offset, 99) : sum
      }
    }
  }

  private static let mostOfKind = 200

  private let (failed, passed): (ToldSteps, ToldSteps)
  private let keys: (failed: KeyPairs, passed: KeyPairs)
  private let usesPlaces: Bool
  private var contents: [ObjectIdentifier: Content] = [:]

  /// - Parameter usesPlaces: True when both sides have stacks.
  init(
    _ failed: ToldSteps, _ passed: ToldSteps, _ keys: (failed: KeyPairs, passed: KeyPairs), usesPlaces: Bool
  ) {
    (self.failed, self.passed, self.keys, self.usesPlaces) = (failed, passed, keys, usesPlaces)
  }

  private mutating func content(of step: ToldSteps.Step, isPassed: Bool = false) -> Content {
    let content =
      contents[ObjectIdentifier(step)]
      ?? Content(step, isPassed ? keys.passed : keys.failed, usesPlaces: usesPlaces)
    contents[ObjectIdentifier(step)] = content
    return content
  }

  /// Separates pairs with different values if the same step exists elsewhere.
  mutating func takeApart(_ pairs: [StepMatch.Pair]) -> [StepMatch.Pair] {
    guard pairs.contains(where: \.isLoose) else { return pairs }
    let places = pairs.indices.filter { pairs[$0].isLoose || pairs[$0].isAlone }
    let one = places.map { pairs[$0].failed.map { content(of: failed.steps[$0]) } }
    let two = places.map { pairs[$0].passed.map { content(of: passed.steps[$0], isPassed: true) } }
    let unlike = places.indices.filter { one[$0] != two[$0] }
    let (ones, twos) = (Set(unlike.compactMap { one[$0] }), Set(unlike.compactMap { two[$0] }))
    var taken: Set<Int> = []
    for index in unlike where pairs[places[index]].isLoose {
      guard let first = one[index], let second = two[index], first.kin == second.kin,
        twos.contains(first) || ones.contains(second)
      else { continue }
      taken.insert(places[index])
    }
    guard !taken.isEmpty else { return pairs }
    return pairs.indices.flatMap { place in
      let pair = pairs[place]
      return taken.contains(place)
        ? [.init(failed: pair.failed, passed: nil), .init(failed: nil, passed: pair.passed)] : [pair]
    }
  }

  /// Pairs equal steps that are unmatched on both sides.
  ///
  /// - Returns: Indices of missing steps by added ones.
  mutating func partners(
    _ added: [(index: Int, step: ToldSteps.Step)], _ missing: [(index: Int, step: ToldSteps.Step)]
  ) -> [Int: Int] {
    var waiting: [Content: [Int]] = [:]
    for member in missing {
      waiting[content(of: member.step, isPassed: true), default: []].append(member.index)
    }
    var (partners, left): ([Int: Int], [(index: Int, content: Content)]) = ([:], [])
    for member in added {
      let content = content(of: member.step)
      if let place = waiting[content]?.first {
        waiting[content]?.removeFirst()
        partners[member.index] = place
      } else {
        left.append((member.index, content))
      }
    }
    let free = waiting.flatMap { content, indices in indices.map { (index: $0, content: content) } }
    let kinds = Dictionary(grouping: free) { $0.content.kin }
    for (kin, members) in Dictionary(grouping: left, by: { $0.content.kin }) {
      let others = (kinds[kin] ?? []).sorted { $0.index < $1.index }
      partners.merge(Self.nearest(members, others)) { first, _ in first }
    }
    return partners.merging(rewritten(added, missing, partners)) { first, _ in first }
  }

  /// Pairs rewritten statements: those of one run only, in the same functions.
  private mutating func rewritten(
    _ added: [(index: Int, step: ToldSteps.Step)], _ missing: [(index: Int, step: ToldSteps.Step)],
    _ known: [Int: Int]
  ) -> [Int: Int] {
    guard usesPlaces else { return [:] }
    let (own, others) = (Set(failed.steps.map(\.sql)), Set(passed.steps.map(\.sql)))
    let taken = Set(known.values)
    let lone = added.filter { known[$0.index] == nil && !others.contains($0.step.sql) }
      .map { (index: $0.index, content: content(of: $0.step)) }.filter { !$0.content.way.isEmpty }
    let loneThen = missing.filter { !taken.contains($0.index) && !own.contains($0.step.sql) }
      .map { (index: $0.index, content: content(of: $0.step, isPassed: true)) }
    let ways = Dictionary(grouping: loneThen) { $0.content.way }
    return Dictionary(grouping: lone) { $0.content.way }.reduce(into: [:]) { partners, members in
      partners.merge(Self.nearest(members.value, ways[members.key] ?? [])) { first, _ in first }
    }
  }

  /// Pairs the most similar first.
  private static func nearest(
    _ members: [(index: Int, content: Content)], _ others: [(index: Int, content: Content)]
  ) -> [Int: Int] {
    guard members.count <= mostOfKind, others.count <= mostOfKind else {
      return Dictionary(uniqueKeysWithValues: zip(members.map(\.index), others.map(\.index)))
    }
    let pairs = members.flatMap { member in
      others.map { (likeness: member.content.likeness($0.content), member: member.index, other: $0.index) }
    }
    .sorted { ($1.likeness, $0.member, $0.other) < ($0.likeness, $1.member, $1.other) }
    var (partners, taken): ([Int: Int], Set<Int>) = ([:], [])
    for pair in pairs where partners[pair.member] == nil && !taken.contains(pair.other) {
      partners[pair.member] = pair.other
      taken.insert(pair.other)
    }
    return partners
  }
}

extension ToldSteps.Step {
  var firstTable: String? {
    guard text.kind == .select else { return nil }
    let tokens = SQLToken.all(in: sql)
    return tokens.firstIndex { $0.folded == "FROM" }.flatMap { tokens[safe: $0 + 1]?.name }
  }
}

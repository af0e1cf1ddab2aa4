import Collector
import ExhibitSQLite
import ReportModel
import ReportStory

/// Steps that both runs made, but at other places: which of them are the same.
///
/// If a program goes through a Dictionary, or tasks race, the same statements run with the same values in
/// another order. Paired in their order, each would be told with the values of another.
struct MovedSteps {
  /// The content that makes a step the same wherever it runs.
  private struct Content: Hashable {
    /// Its functions and statement.
    var kin: String
    /// Its functions, and what it does to which table; empty where no functions are known.
    var way: String
    /// The values that it was given and wrote itself, without keys from the database and parts that vary by run.
    var values: [String]

    /// - Parameter keys: The keys of its run, with what stands for them.
    init(_ step: ToldSteps.Step, _ keys: KeyPairs, usesPlaces: Bool) {
      kin = "\(usesPlaces ? step.functions : "")\n\(step.bareStatement.lowercased())"
      let table = step.text.target ?? step.firstTable
      way = usesPlaces ? table.map { "\(step.functions)\n\(step.text.kind)\n\($0.lowercased())" } ?? "" : ""
      values =
        keys.literals(of: step)
        + step.written.lazy.filter { $0.told.depth == 0 }.prefix(4).flatMap(keys.content)
    }

    /// The number of values that both have at the same place.
    ///
    /// Among equal numbers, earlier places count more, as a row's name stands before its amounts.
    func likeness(_ other: Content) -> Int {
      zip(values, other.values).enumerated().reduce(0) { sum, pair in
        pair.element.0 == pair.element.1 ? sum + 1000 - min(pair.offset, 99) : sum
      }
    }
  }

  /// Steps of one kind and side that are held beside each of the other side.
  private static let mostOfKind = 200

  private let (failed, passed): (ToldSteps, ToldSteps)
  private let keys: (failed: KeyPairs, passed: KeyPairs)
  private let usesPlaces: Bool
  /// The contents of steps that were looked at: those of pairs that are taken apart are asked for again.
  private var contents: [ObjectIdentifier: Content] = [:]

  /// - Parameters:
  ///   - keys: The keys that the database gave in each.
  ///   - usesPlaces: True when both sides know the functions on their steps' stacks.
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

  /// Takes pairs apart of which one run made a member with other values, and the other run made the same elsewhere.
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

  /// Pairs steps that only the failed run has with the same steps that only the pass has.
  ///
  /// - Returns: Indices of the second by those of the first.
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

  /// Pairs statements that only one run has with others of the same functions that only the other one has.
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

  /// Pairs those that have most values in common first.
  private static func nearest(
    _ members: [(index: Int, content: Content)], _ others: [(index: Int, content: Content)]
  ) -> [Int: Int] {
    guard members.count <= mostOfKind, others.count <= mostOfKind else {
      return Dictionary(uniqueKeysWithValues: zip(members.map(\.index), others.map(\.index)))
    }
    let pairs = members.flatMap { member in
      others.map { (likeness: member.content.likeness($0.content), member: member.index, other: $0.index) }
    }
    // Among equal pairs, the first ones lead.
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
  /// The first table that a read names.
  var firstTable: String? {
    guard text.kind == .select else { return nil }
    let tokens = SQLToken.all(in: sql)
    return tokens.firstIndex { $0.folded == "FROM" }.flatMap { tokens[safe: $0 + 1]?.name }
  }
}

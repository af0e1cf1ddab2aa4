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
    /// The values that it was given and wrote, without keys from the database and parts that vary by run.
    var values: [String]

    init(_ step: ToldSteps.Step, _ columns: KeyColumns, usesPlaces: Bool) {
      kin = "\(usesPlaces ? step.functions : "")\n\(step.bareStatement)"
      let table = step.text.target ?? Self.firstTable(step)
      way = usesPlaces ? table.map { "\(step.functions)\n\(step.text.kind)\n\($0.lowercased())" } ?? "" : ""
      values = step.literals.map { VaryingText($0).shape } + step.written.prefix(4).flatMap(columns.content)
    }

    private static func firstTable(_ step: ToldSteps.Step) -> String? {
      guard step.text.kind == .select else { return nil }
      let tokens = SQLToken.all(in: step.sql)
      return tokens.firstIndex { $0.folded == "FROM" }.flatMap { tokens[safe: $0 + 1]?.name }
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
  private let columns: KeyColumns
  private let usesPlaces: Bool
  /// The contents of steps that were looked at: those of pairs that are taken apart are asked for again.
  private var contents: [ObjectIdentifier: Content] = [:]
  /// The kin of pairs that were taken apart.
  private var apart: Set<String> = []

  /// - Parameter usesPlaces: True when both sides know the functions on their steps' stacks.
  init(_ failed: ToldSteps, _ passed: ToldSteps, usesPlaces: Bool) {
    (self.failed, self.passed, self.usesPlaces) = (failed, passed, usesPlaces)
    columns = KeyColumns(failed)
  }

  private mutating func content(of step: ToldSteps.Step) -> Content {
    let content = contents[ObjectIdentifier(step)] ?? Content(step, columns, usesPlaces: usesPlaces)
    contents[ObjectIdentifier(step)] = content
    return content
  }

  /// Takes pairs apart of which one run made a member with other values, and the other run made the same elsewhere.
  mutating func takeApart(_ pairs: [StepMatch.Pair]) -> [StepMatch.Pair] {
    guard pairs.contains(where: \.isLoose) else { return pairs }
    let places = pairs.indices.filter { pairs[$0].isLoose || pairs[$0].isAlone }
    let one = places.map { pairs[$0].failed.map { content(of: failed.steps[$0]) } }
    let two = places.map { pairs[$0].passed.map { content(of: passed.steps[$0]) } }
    let unlike = places.indices.filter { one[$0] != two[$0] }
    let (ones, twos) = (Set(unlike.compactMap { one[$0] }), Set(unlike.compactMap { two[$0] }))
    var taken: Set<Int> = []
    for index in unlike where pairs[places[index]].isLoose {
      guard let first = one[index], let second = two[index], first.kin == second.kin,
        twos.contains(first) || ones.contains(second)
      else { continue }
      taken.insert(places[index])
      apart.insert(first.kin)
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
      waiting[content(of: member.step), default: []].append(member.index)
    }
    var (partners, left): ([Int: Int], [(index: Int, content: Content)]) = ([:], [])
    for member in added {
      let content = content(of: member.step)
      if let place = waiting[content]?.first {
        waiting[content]?.removeFirst()
        partners[member.index] = place
      } else if apart.contains(content.kin) {
        left.append((member.index, content))
      }
    }
    let free = waiting.flatMap { content, indices in indices.map { (index: $0, content: content) } }
      .filter { apart.contains($0.content.kin) }
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
      .map { (index: $0.index, content: content(of: $0.step)) }
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

/// The columns that hold keys that the database gave.
private struct KeyColumns {
  /// By the name of the table; of a pass no file is there that tells them.
  private var columns: [String: [String]] = [:]
  private var keys: [String: Set<String>] = [:]

  init(_ failed: ToldSteps) {
    for (table, names) in failed.columns { columns[table.name] = names }
    for (table, names) in failed.keys { keys[table.name] = names }
  }

  /// The table of a change, and the row's values without its key and moments.
  func content(_ change: ToldSteps.Change) -> [String] {
    let values = change.told.new.isEmpty ? change.told.old : change.told.new
    return [change.table.name]
      + values.enumerated().map { column, value in
        switch value {
        case .text(let text, _): VaryingText(text).shape
        case .integer(let number):
          change.isRowID(.integer(number)) && mayBeKey(column, in: change.table.name)
            ? "key" : Renaming.mayBeMoment(Double(number)) ? "moment" : "\(number)"
        case .real(let number): Renaming.mayBeMoment(number) ? "moment" : "\(number)"
        case .blob(let bytes, _): bytes.count == 16 ? "identifier" : "\(bytes)"
        case .null: "null"
        case nil: "?"
        }
      }
  }

  private func mayBeKey(_ column: Int, in table: String) -> Bool {
    guard let name = columns[table]?[safe: column], let keys = keys[table], !keys.isEmpty else { return true }
    return keys.contains(name)
  }
}

import ExhibitCSQLite
import ExhibitSQLite
import ReportModel

/// Keys of one table that are equal when they are folded, told apart by what they differ in: many that differ in case
/// say nothing of one that differs in white space.
struct AlikeKeys {
  /// What two keys differ in.
  enum Difference: String, CaseIterable {
    case encoding, space, spaceAndCase, letterCase

    var words: String {
      switch self {
      case .encoding: "the way their characters are encoded"
      case .space: "white space around them"
      case .spaceAndCase: "white space around them and case"
      case .letterCase: "case"
      }
    }
  }

  /// Keys that differ in one thing alone, in the order of the table.
  struct Group {
    let difference: Difference
    /// Rows beyond the first of each from which on they are meant to be alike.
    fileprivate let most: Int
    fileprivate var surplus = 0
    /// The numbers of the rows that are alike; none where there are too many.
    fileprivate(set) var rows: [[Int]] = []

    fileprivate mutating func add(_ keys: [Key]) {
      guard keys.count > 1 else { return }
      surplus += keys.count - 1
      if surplus <= most { rows.append(keys.map(\.row)) } else { rows = [] }
    }
  }

  /// A row by the hashes of its key: folded, without white space around it, and with nothing but its encoding aside.
  fileprivate struct Key {
    var row: Int
    var folded: Int
    var trimmed: Int
    var whole: Int
  }

  private var keys: [Key] = []

  mutating func note(_ statement: InspectionStatement, _ columns: [Int32], row: Int, folded: Int) {
    var (trimmed, whole) = (Hasher(), Hasher())
    for column in columns {
      guard statement.type(at: column) == SQLITE_TEXT, let utf8 = statement.utf8(at: column) else {
        statement.hash(at: column, into: &trimmed)
        statement.hash(at: column, into: &whole)
        continue
      }
      let text = String(decoding: utf8, as: UTF8.self)
      trimmed.combine(trimmedKey(text))
      whole.combine(text)
    }
    keys.append(Key(row: row, folded: folded, trimmed: trimmed.finalize(), whole: whole.finalize()))
  }

  /// Those that differ in each thing, without things in which none do or more than `most` of them.
  ///
  /// Of keys that are one but for their encoding, one is compared with the others, and so of those that are one but for
  /// white space: the one that has none, if there is one.
  mutating func takeGroups(most: Int) -> [Group] {
    keys.sort { ($0.folded, $0.row) < ($1.folded, $1.row) }
    defer { keys = [] }
    var encoding = Group(difference: .encoding, most: most)
    var space = Group(difference: .space, most: most)
    var spaceAndCase = Group(difference: .spaceAndCase, most: most)
    var letterCase = Group(difference: .letterCase, most: most)
    var start = 0
    while start < keys.count {
      let end = keys[start...].firstIndex { $0.folded != keys[start].folded } ?? keys.count
      var cased: [Key] = []
      for trimmed in keys[start..<end].groups(\.trimmed) {
        let spaced = trimmed.groups(\.whole)
        for whole in spaced { encoding.add(whole) }
        let ones = spaced.map { $0[0] }
        space.add(ones)
        cased.append(ones.first { $0.whole == $0.trimmed } ?? ones[0])
      }
      let bare = cased.filter { $0.whole == $0.trimmed }
      let padded = cased.filter { $0.whole != $0.trimmed }
      letterCase.add(bare.isEmpty ? padded : bare)
      if let one = bare.first { spaceAndCase.add([one] + padded) }
      start = end
    }
    return [encoding, space, spaceAndCase, letterCase].filter { !$0.rows.isEmpty }.map { group in
      var group = group
      group.rows.sort { $0[0] < $1[0] }
      return group
    }
  }
}

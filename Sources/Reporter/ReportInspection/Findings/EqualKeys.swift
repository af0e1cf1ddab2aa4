import ExhibitCSQLite
import ExhibitSQLite
import ReportModel

/// Finds values of a unique key that are equal when folded.
struct FoldedKeys {
  let columns: [Int]
  private var hashes = RowHashes()

  /// The unique keys that contain texts.
  static func all(of table: ExaminedTable) -> [FoldedKeys] {
    var keys: [FoldedKeys] = []
    for index in table.indexes where index.isUnique && !index.isPartial {
      let hasText = index.columns.contains { [.text, .blob].contains(table.columns[$0].affinity) }
      if hasText, !keys.contains(where: { $0.columns == index.columns }) {
        keys.append(FoldedKeys(columns: index.columns))
      }
    }
    return keys
  }

  mutating func note(_ statement: InspectionStatement, _ first: Int32) {
    if let hash = hash(statement, first) { hashes.add(hash) }
  }

  /// `nil` for a key with NULL, which is never equal.
  private func hash(_ statement: InspectionStatement, _ first: Int32) -> Int? {
    var hasher = Hasher()
    for column in columns {
      if statement.isNull(at: first + Int32(column)) { return nil }
      hasher.combineFolded(statement, at: first + Int32(column))
    }
    return hasher.finalize()
  }

  // MARK: - Those that are alike

  /// Compares the rows in a second pass.
  ///
  /// - Throws: `SQLiteError`.
  mutating func findings(
    of table: ExaminedTable, _ examination: Examination
  ) throws(SQLiteError) -> [Finding] {
    let total = hashes.count
    let repeated = hashes.takeRepeated().repeated
    guard !repeated.isEmpty else { return [] }
    var alike = AlikeKeys()
    try examination.forEachRow(of: table) { statement, row in
      guard let hash = hash(statement, table.firstColumn), repeated.contains(hash) else { return }
      alike.note(statement, columns.map { table.firstColumn + Int32($0) }, row: row, folded: hash)
    }
    // Many such keys are intended.
    let groups = alike.takeGroups(most: max(1, total / 100))
    guard !groups.isEmpty else { return [] }
    let rows = try rows(Set(groups.flatMap { $0.rows.joined() }), of: table, examination)
    return groups.map { group in
      finding(
        group.rows.map { $0.compactMap { rows[$0] } }, group.difference, of: table, examination)
    }
  }

  private func rows(
    _ wanted: Set<Int>, of table: ExaminedTable, _ examination: Examination
  ) throws(SQLiteError) -> [Int: Finding.Row] {
    var rows: [Int: Finding.Row] = [:]
    let own = examination.written.rows[table.name]
    try examination.forEachRow(of: table) { statement, row in
      guard wanted.contains(row) else { return }
      let key = table.key(of: statement)
      let values = columns.map { table.value(of: $0, in: statement) }
      rows[row] = Finding.Row(key: key, values: values, writing: key.flatMap { own?[$0] })
    }
    return rows
  }

  private func finding(
    _ groups: [[Finding.Row]], _ difference: AlikeKeys.Difference, of table: ExaminedTable,
    _ examination: Examination
  ) -> Finding {
    let names = columns.map { table.columns[$0].name }
    let subject =
      names.count == 1
      ? shownColumn(table.name, names[0])
      : "\(shownName(table.name)) (\(names.map(shownName).joined(separator: ", ")))"
    return examination.finding(
      .equalKeys, difference == .letterCase ? .minor : .strong, in: table.name, names, groups,
      detail: difference.rawValue,
      remedy:
        "To a reader they are one: write keys in one form, trimmed and in NFC, and give the column COLLATE NOCASE where case does not count."
    ) { groups, found in
      "\(subject) has keys that differ in \(difference.words) alone"
        + (examination.tellsRows ? ": \(Self.shown(groups[0]))." : ", in \(counted(found.count, "row")).")
    }
  }

  private static func shown(_ rows: [Finding.Row]) -> String {
    rows.prefix(2).map { row in
      "\(row.key?.shown ?? "a row") (\(row.values.map { shownValue($0.cell) }.joined(separator: ", ")))"
    }.joined(separator: " and ")
  }
}

/// Keys that are equal when folded, grouped by how they differ.
///
/// Otherwise many that differ in case would hide one that differs in white space.
struct AlikeKeys {
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

  /// Keys with one kind of difference, in table order.
  struct Group {
    let difference: Difference
    /// More rows than this, beyond one in each group, are intended.
    fileprivate let most: Int
    fileprivate var surplus = 0
    /// Groups of row numbers; empty above the limit.
    fileprivate(set) var rows: [[Int]] = []

    fileprivate mutating func add(_ keys: [Key]) {
      guard keys.count > 1 else { return }
      surplus += keys.count - 1
      if surplus <= most { rows.append(keys.map(\.row)) } else { rows = [] }
    }
  }

  /// A row's key as hashes: folded, trimmed, and with normalised encoding.
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

  /// Returns the nonempty groups within the limit.
  ///
  /// Of keys that differ in encoding or white space only one, preferably trimmed, is compared with the others.
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

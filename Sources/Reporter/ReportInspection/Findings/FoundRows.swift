import ReportModel

/// Rows of one kind, counted, with the first ones of the test and the first ones of all others.
struct FoundRows {
  private(set) var count = 0
  private var own: [Finding.Row] = []
  private var others: [Finding.Row] = []
  /// The test's last write of one of them.
  private(set) var writing: WrittenRows.Writing?

  /// - Parameters:
  ///   - writing: The test's write of the row's values that matter, if any.
  ///   - row: Makes what is kept of it; asked only as long as there is room.
  mutating func note(_ writing: WrittenRows.Writing?, _ row: () -> Finding.Row) {
    count += 1
    if let writing {
      if self.writing == nil || writing.step ?? 0 > self.writing?.step ?? 0 { self.writing = writing }
      guard own.count < Finding.mostRows else { return }
      own.append(row())
      own[own.count - 1].writing = writing
    } else if others.count < Finding.mostRows {
      others.append(row())
    }
  }

  /// The rows of the last step, then of the test, then the others, no more than a finding names.
  var rows: [Finding.Row] {
    let sorted = own.sorted { $0.writing?.step ?? 0 > $1.writing?.step ?? 0 }
    return Array((sorted + others).prefix(Finding.mostRows))
  }

  /// Gives the rows that are kept other values.
  mutating func fill(_ values: (Finding.Row) -> [Finding.Value]) {
    for index in own.indices { own[index].values = values(own[index]) }
    for index in others.indices { others[index].values = values(others[index]) }
  }

  static func + (one: FoundRows, other: FoundRows) -> FoundRows {
    var sum = one
    sum.count += other.count
    sum.own += other.own
    sum.others += other.others
    if sum.writing == nil || other.writing?.step ?? 0 > sum.writing?.step ?? 0 {
      sum.writing = other.writing ?? sum.writing
    }
    return sum
  }
}

extension FoundRows {
  /// `row 7 ('12,50') and 3 more rows`; without rows `4 rows`.
  func words(tellingRows: Bool) -> String {
    guard tellingRows, let first = rows.first, let key = first.key else { return counted(count, "row") }
    let values = first.values.map { shownValue($0.cell) }.joined(separator: ", ")
    let more = count > 1 ? " and \(counted(count - 1, "more row"))" : ""
    return key.shown + (values.isEmpty ? "" : " (\(values))") + more
  }
}

extension FoundRows {
  /// The same with keys alone, where the values are told already.
  var withoutValues: FoundRows {
    var rows = self
    rows.fill { _ in [] }
    return rows
  }
}

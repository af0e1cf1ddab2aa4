import ReportModel

/// Counts rows and keeps the first ones, separately for the test's own.
struct FoundRows {
  private(set) var count = 0
  private var own: [Finding.Row] = []
  private var others: [Finding.Row] = []
  private(set) var writing: WrittenRows.Writing?

  /// - Parameters:
  ///   - writing: The test's write of the relevant values, if any.
  ///   - row: Makes the row, called only if it is kept.
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

  /// Rows of the last step, of the test, then others, up to the limit.
  var rows: [Finding.Row] {
    let sorted = own.sorted { $0.writing?.step ?? 0 > $1.writing?.step ?? 0 }
    return Array((sorted + others).prefix(Finding.mostRows))
  }

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
  /// `row 7 ('12,50') and 3 more rows`, or `4 rows`.
  func words(tellingRows: Bool) -> String {
    guard tellingRows, let first = rows.first, let key = first.key else { return counted(count, "row") }
    let values = first.values.map { shownValue($0.cell) }.joined(separator: ", ")
    let more = count > 1 ? " and \(counted(count - 1, "more row"))" : ""
    return key.shown + (values.isEmpty ? "" : " (\(values))") + more
  }
}

extension FoundRows {
  var withoutValues: FoundRows {
    var rows = self
    rows.fill { _ in [] }
    return rows
  }
}

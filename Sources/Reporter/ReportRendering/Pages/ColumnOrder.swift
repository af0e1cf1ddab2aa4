import ReportModel

/// The order in which the columns of changed rows are shown: the key, what changed, and the others, so that what changed
/// stands in sight.
///
/// - Parameters:
///   - key: The columns that name a row; the first one where nobody knows.
///   - changed: The columns that changed in any of the rows.
/// - Returns: Indices of all columns.
func columnOrder(count: Int, key: Set<Int> = [], changed: Set<Int>) -> [Int] {
  let leading = key.isEmpty ? [0] : key
  return Array(0..<count).sorted { one, other in
    func rank(_ column: Int) -> Int { leading.contains(column) ? 0 : changed.contains(column) ? 1 : 2 }
    return (rank(one), one) < (rank(other), other)
  }
}

/// The values for the heading of a column.
func headingValues(_ name: String) -> TemplateValues {
  let text = visibleOnOneLine(name)
  return ["name": text, "isLong": text.count > longestHeading]
}

/// Characters that a heading has room for; of a longer one the beginning is seen, and all where it is pointed at.
private let longestHeading = 20

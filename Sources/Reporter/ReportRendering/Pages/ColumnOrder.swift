import ReportModel

/// Orders columns of changed rows: key, changed, others.
///
/// - Parameters:
///   - key: Key columns; the first if unknown.
///   - changed: Columns changed in any row.
/// - Returns: Indices of all columns.
func columnOrder(count: Int, key: Set<Int> = [], changed: Set<Int>) -> [Int] {
  let leading = key.isEmpty ? [0] : key
  return Array(0..<count).sorted { one, other in
    func rank(_ column: Int) -> Int { leading.contains(column) ? 0 : changed.contains(column) ? 1 : 2 }
    return (rank(one), one) < (rank(other), other)
  }
}

func headingValues(_ name: String) -> TemplateValues {
  let text = visibleOnOneLine(name)
  return ["name": text, "isLong": text.count > longestHeading]
}

/// Longer headings are truncated until hovered.
private let longestHeading = 20

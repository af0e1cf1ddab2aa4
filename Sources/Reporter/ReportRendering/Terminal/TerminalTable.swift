import ReportInspection
import ReportModel

/// Distributes room in turns to those that need it.
func shared(_ room: Int, _ shares: [Int], upTo needs: [Int]) -> [Int] {
  var (room, shares, before) = (room, shares, Int.max)
  while room > 0, room < before {
    before = room
    for index in shares.indices where room > 0 && shares[index] < needs[index] {
      shares[index] += 1
      room -= 1
    }
  }
  return shares
}

/// An aligned table for the terminal, no wider than that.
///
/// Columns without a value are dropped first, then those with one value in all rows, then middle ones: the first identify
/// rows, the last are often dates and states.
struct TerminalTable {
  struct Cell: Equatable {
    var text: String
    var style = TerminalStyle.plain
    var isNumber = false

    init(_ text: String, _ style: TerminalStyle = .plain, isNumber: Bool = false) {
      (self.text, self.style, self.isNumber) = (printedLine(text), style, isNumber)
    }
  }

  let titles: [String]
  let rows: [[Cell]]
  let isHeaded: Bool

  /// - Parameter titles: `nil` without a header.
  init(titles: [String]? = nil, rows: [[Cell]]) {
    self.titles = titles?.map(printedLine) ?? Array(repeating: "", count: rows.map(\.count).max() ?? 0)
    self.rows = rows
    isHeaded = titles != nil
  }

  private static let gap = 2
  /// Narrower columns are not truncated.
  private static let narrowest = 10
  /// Longer numbers are truncated.
  private static let longestNumber = 24

  /// - Parameter width: `nil` to cut nothing.
  func lines(width: Int?, indent: Int) -> [TerminalLine] {
    let shown = layout(width, indent)
    var lines: [TerminalLine] = []
    if isHeaded {
      let heads = titles.indices.map {
        Cell(titles[$0], .strong, isNumber: isNumeric($0))
      }
      lines.append(line(heads, shown, indent))
      lines.append(rule(shown, indent))
    }
    return lines + rows.map { line($0, shown, indent) }
  }

  func omittedColumns(width: Int?, indent: Int) -> Int {
    titles.count - layout(width, indent).count { $0.column != nil }
  }

  // MARK: - Widths

  /// A shown column, or the mark for dropped ones.
  private struct Shown {
    var column: Int?
    var width: Int
  }

  private func layout(_ width: Int?, _ indent: Int) -> [Shown] {
    let natural = naturalWidths
    return Self.layout(natural, floors(natural), dullness, into: width.map { max(1, $0 - indent) })
  }

  private var naturalWidths: [Int] {
    titles.indices.map { column in
      let cells = rows.map { $0.indices.contains(column) ? displayWidth(of: $0[column].text) : 0 }
      return max(isHeaded ? displayWidth(of: titles[column]) : 0, cells.max() ?? 0, 1)
    }
  }

  private func floors(_ natural: [Int]) -> [Int] {
    titles.indices.map { column in
      let numbers = rows.lazy.compactMap { $0.indices.contains(column) ? $0[column] : nil }
        .filter(\.isNumber).map { $0.text.utf8.count }
      let longest = min(numbers.max() ?? 0, Self.longestNumber)
      return min(natural[column], max(Self.narrowest, longest))
    }
  }

  private var dullness: [Int] {
    titles.indices.map { column in
      guard column > 0 else { return 0 }
      let cells = rows.compactMap { $0.indices.contains(column) ? $0[column] : nil }
      return columnDullness(cells.map { $0.text == "NULL" && $0.style == .soft ? nil : $0.text })
    }
  }

  private static func layout(
    _ natural: [Int], _ floors: [Int], _ dullness: [Int], into width: Int?
  ) -> [Shown] {
    guard let width, total(natural) > width else {
      return natural.indices.map { Shown(column: $0, width: natural[$0]) }
    }
    var kept = Array(natural.indices)
    if total(floors) > width { kept = mostTelling(floors, dullness, width) }
    var widths = kept.map { floors[$0] }
    if kept.count == 1 { widths = [min(natural[kept[0]], width - (natural.count > 1 ? 1 + gap : 0))] }
    let room = width - (kept.count < natural.count ? 1 + gap : 0) - total(widths)
    widths = shared(room, widths, upTo: kept.map { natural[$0] })
    var shown = kept.indices.map { Shown(column: kept[$0], width: max(1, widths[$0])) }
    guard kept.count < natural.count else { return shown }
    // Many gaps have one mark, at the end: each would take the room of a column.
    let gaps = kept.indices.filter { kept[$0] != ($0 == 0 ? 0 : kept[$0 - 1] + 1) }
    let isBetween = gaps.count == 1 && kept.last == natural.count - 1
    shown.insert(Shown(column: nil, width: 1), at: isBetween ? gaps[0] : shown.count)
    return shown
  }

  /// Columns that fit, those that tell most first.
  private static func mostTelling(_ floors: [Int], _ dullness: [Int], _ width: Int) -> [Int] {
    // Room for each column's neighbour that is a mark for dropped ones.
    func used(_ columns: [Int]) -> Int { columns.reduce(0) { $0 + floors[$1] + gap } + 1 + gap }
    var kept = floors.indices.filter { dullness[$0] == 0 }
    guard used(kept) <= width else { return outermost(kept.map { floors[$0] }, width).map { kept[$0] } }
    for column in floors.indices.filter({ dullness[$0] == 1 }) + floors.indices.filter({ dullness[$0] == 2 })
    where used(kept + [column]) <= width {
      kept.append(column)
    }
    return kept.sorted()
  }

  /// Columns that fit: two from the left, one from the right, and so on.
  private static func outermost(_ floors: [Int], _ width: Int) -> [Int] {
    var (left, right) = ([0], [Int]())
    var used = floors[0] + gap + 1
    for turn in 1..<max(2, floors.count) {
      let fromRight = turn % 3 == 2
      let column = fromRight ? floors.count - 1 - right.count : left.count
      guard column < floors.count, !left.contains(column), !right.contains(column) else { break }
      used += floors[column] + gap
      guard used <= width else { break }
      if fromRight { right.insert(column, at: 0) } else { left.append(column) }
    }
    return left + right
  }

  private static func total(_ widths: [Int]) -> Int {
    widths.reduce(0, +) + max(0, widths.count - 1) * gap
  }

  // MARK: - Lines

  private func isNumeric(_ column: Int) -> Bool {
    let cells = rows.compactMap { $0.indices.contains(column) ? $0[column] : nil }
    return cells.contains(where: \.isNumber) && cells.allSatisfy { $0.isNumber || $0.style == .soft }
  }

  private func line(_ cells: [Cell], _ shown: [Shown], _ indent: Int) -> TerminalLine {
    var line = TerminalLine(String(repeating: " ", count: indent))
    for (place, part) in shown.enumerated() {
      if place > 0 { line.add(String(repeating: " ", count: Self.gap)) }
      guard let column = part.column else {
        line.add("…", .soft)
        continue
      }
      let cell = cells.indices.contains(column) ? cells[column] : Cell("")
      let text = fitted(cell.text, toWidth: part.width)
      let blanks = String(repeating: " ", count: max(0, part.width - displayWidth(of: text)))
      if cell.isNumber { line.add(blanks) }
      line.add(text, cell.style)
      if !cell.isNumber { line.add(blanks) }
    }
    return line
  }

  private func rule(_ shown: [Shown], _ indent: Int) -> TerminalLine {
    let parts = shown.map { String(repeating: "─", count: $0.column == nil ? 1 : $0.width) }
    let gap = String(repeating: " ", count: Self.gap)
    return TerminalLine(String(repeating: " ", count: indent) + parts.joined(separator: gap), .soft)
  }
}

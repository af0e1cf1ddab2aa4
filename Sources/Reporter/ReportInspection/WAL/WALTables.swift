import ExhibitSQLite
import ExhibitSystem

/// Layouts of tables in any state, each declaration read once.
final class WALTables {
  private struct Declared: Hashable {
    var name: String
    var sql: String?
    var encoding: DatabaseState.Encoding
  }

  private var layouts: [Declared: TableLayout?] = [:]
  private let limits: WALHistoryLimits

  init(_ limits: WALHistoryLimits) { self.limits = limits }

  func layout(of entry: SchemaEntry, _ encoding: DatabaseState.Encoding) -> TableLayout? {
    let declared = Declared(name: entry.name, sql: entry.sql, encoding: encoding)
    if let known = layouts[declared] { return known }
    guard layouts.count < limits.layouts else { return nil }
    // Such a table's columns are shown by number.
    let layout = try? TableLayout(entry, encoding: encoding)
    layouts[declared] = .some(layout)
    return layout
  }
}

package struct VirtualTables {
  /// Endings of shadow table names in FTS3 to FTS5 and R*Tree.
  ///
  /// Sources: https://www.sqlite.org/fts5.html#fts5_data_structures, fts3.html#shadowtabs and rtree.html.
  package static let shadowEndings = [
    "_content", "_data", "_idx", "_docsize", "_config", "_segments", "_segdir", "_stat", "_node", "_parent",
    "_rowid",
  ]

  private var names: Set<String> = []

  /// - Parameter schema: Of one or two states.
  init(_ schema: [SchemaEntry]) {
    for entry in schema where entry.isVirtualTable { names.insert(entry.name) }
  }

  /// The virtual table of a shadow table.
  func owner(of table: String) -> String? {
    guard !names.isEmpty else { return nil }
    return Self.possibleOwner(of: table).flatMap { names.contains($0) ? $0 : nil }
  }

  private static let underscore = ByteSet { $0 == UInt8(ascii: "_") }

  package static func possibleOwner(of table: String) -> String? {
    // Fast, since every change of a story asks.
    guard table.holds(underscore) else { return nil }
    return shadowEndings.first { table.hasSuffix($0) && table.utf8.count > $0.utf8.count }.map {
      String(table.dropLast($0.count))
    }
  }
}

/// Keeps the rows of the last and the largest transactions within limits.
struct WALRowRoom {
  let showsRows: Bool
  var rowids: Int
  private let limits: WALHistoryLimits
  private var bytes = 0
  private var costs: [Int] = []
  /// Earlier transactions have no rows, except the largest.
  private var next = 0
  private var biggest: [(rows: Int, index: Int)] = []

  init(_ limits: WALHistoryLimits, showsRows: Bool) {
    (self.limits, self.showsRows, rowids) = (limits, showsRows, limits.allRowids)
  }

  /// Makes room for the last transaction's rows.
  mutating func keep(_ history: inout WALHistory) {
    let index = history.transactions.count - 1
    let cost = history.transactions[index].rowBytes
    costs.append(cost)
    bytes += cost
    noteSize(at: index, &history)
    while bytes > limits.rowBytes, next < index {
      if !biggest.contains(where: { $0.index == next }) { drop(next, &history) }
      next += 1
    }
  }

  private mutating func noteSize(at index: Int, _ history: inout WALHistory) {
    let rows = history.transactions[index].rowCount
    guard biggest.count < limits.biggest || rows > biggest.first?.rows ?? 0 else { return }
    let place = biggest.firstIndex { $0.rows > rows } ?? biggest.count
    biggest.insert((rows, index), at: place)
    guard biggest.count > limits.biggest else { return }
    let former = biggest.removeFirst().index
    if former < next { drop(former, &history) }
  }

  private mutating func drop(_ index: Int, _ history: inout WALHistory) {
    bytes -= costs[index]
    guard costs[index] > 0 else { return }
    costs[index] = 0
    history.withoutRows += 1
    for table in history.transactions[index].tables.indices {
      for group in history.transactions[index].tables[table].groups.indices {
        history.transactions[index].tables[table].groups[group].rows = []
      }
    }
  }
}

extension WALHistory.Transaction {
  fileprivate var rowBytes: Int {
    var bytes = 0
    for row in tables.flatMap(\.groups).flatMap(\.rows) {
      for cell in (row.old ?? []) + (row.new ?? []) {
        switch cell {
        case .text(let text, _): bytes += 40 + text.utf8.count
        case .blob(let shown, _): bytes += 64 + shown.count
        default: bytes += 24
        }
      }
      bytes += 64
    }
    return bytes
  }
}

/// Finds the changed rows of a table WITHOUT ROWID, whose order, though unknown, is the same in both states.
///
/// A row waits until the other state comes to the same key; all that waited before it are in one state only.
struct KeyedRowDifference {
  static let limit = 500_000

  private var difference: RowDifference
  private let keyColumns: Int?
  private var waiting: [WaitingRows]

  /// - Parameter keyColumns: When unknown, a changed row is one removed and one added.
  init(_ difference: RowDifference, old: DatabaseState, new: DatabaseState, keyColumns: Int?) {
    self.difference = difference
    self.keyColumns = keyColumns
    waiting = [WaitingRows(of: old) { .removed($0) }, WaitingRows(of: new) { .added($0) }]
  }

  mutating func compare(_ changes: inout RowDifference) throws {
    defer { changes = difference }
    var (before, after) = (try difference.old.next(), try difference.new.next())
    while before != nil || after != nil {
      if let former = before, let row = after, waiting[0].isEmpty, waiting[1].isEmpty,
        try former.hasSamePayload(as: row)
      {
        (before, after) = (try difference.old.next(), try difference.new.next())
        continue
      }
      if let former = before {
        try take(former, side: 0, hasOthers: after != nil)
        before = try difference.old.next()
      }
      if let row = after {
        try take(row, side: 1, hasOthers: before != nil)
        after = try difference.new.next()
      }
    }
    for side in 0...1 { try tell(side, before: waiting[side].end) }
  }

  /// - Parameter side: 0 for a row of the old state, 1 for one of the new.
  private mutating func take(_ row: StoredRow, side: Int, hasOthers: Bool) throws {
    let (key, other) = (try row.keyDigest(columns: keyColumns), 1 - side)
    if let position = waiting[other].position(of: key) {
      let found = try waiting[other].row(at: position)
      if try side == 0 ? tellPair(row, found) : tellPair(found, row) {
        try tell(other, before: position)
        waiting[other].removeFirst()
        return try tell(side, before: waiting[side].end)
      }
    }
    guard hasOthers else {
      try tell(side, before: waiting[side].end)
      return try difference.tell(waiting[side].change(row))
    }
    try waiting[side].append(row, key)
  }

  /// False for different keys with one digest.
  private mutating func tellPair(_ former: StoredRow, _ row: StoredRow) throws -> Bool {
    if try former.hasSamePayload(as: row) { return true }
    guard try former.key(columns: keyColumns) == row.key(columns: keyColumns) else { return false }
    try difference.tell(.changed(old: former, new: row))
    return true
  }

  private mutating func tell(_ side: Int, before end: Int) throws {
    while waiting[side].start < end {
      try difference.tell(waiting[side].change(waiting[side].row(at: waiting[side].start)))
      waiting[side].removeFirst()
    }
  }
}

/// One state's waiting rows in order.
private struct WaitingRows {
  private let state: DatabaseState
  let change: (StoredRow) -> RowChange
  private var places: [(page: UInt32, cell: UInt16, key: Int)] = []
  private var base = 0
  private(set) var start = 0
  private var positions: [Int: Int] = [:]

  var end: Int { base + places.count }
  var isEmpty: Bool { start == end }

  init(of state: DatabaseState, _ change: @escaping (StoredRow) -> RowChange) {
    (self.state, self.change) = (state, change)
  }

  mutating func append(_ row: StoredRow, _ key: Int) throws {
    guard end - start < KeyedRowDifference.limit else {
      throw TableChanges.Problem.tooManyRows(limit: KeyedRowDifference.limit)
    }
    positions[key] = end
    places.append((row.page.number, UInt16(truncatingIfNeeded: row.cell.index), key))
  }

  func position(of key: Int) -> Int? { positions[key] }

  mutating func removeFirst() {
    let key = places[start - base].key
    if positions[key] == start { positions[key] = nil }
    start += 1
    guard start - base > 1024, start - base > places.count / 2 else { return }
    places.removeFirst(start - base)
    base = start
  }

  func row(at position: Int) throws -> StoredRow {
    let place = places[position - base]
    let page = try state.treePage(place.page)
    return StoredRow(state: state, page: page.page, cell: try page.cell(Int(place.cell)))
  }
}

extension StoredRow {
  /// A hash of the key, valid in this process.
  fileprivate func keyDigest(columns: Int?) throws -> Int {
    var hasher = Hasher()
    try withKey(columns) { types, values in
      for type in types { hasher.combine(type) }
      hasher.combine(bytes: values)
    }
    return hasher.finalize()
  }

  fileprivate func key(columns: Int?) throws -> [UInt8] {
    try withKey(columns) { types, values in
      types.flatMap { type in withUnsafeBytes(of: type) { Array($0) } } + values
    }
  }

  private func withKey<Result>(
    _ columns: Int?, _ body: ([UInt64], UnsafeRawBufferPointer) throws -> Result
  ) throws -> Result {
    guard let columns else { return try withPrefix(payloadBytes) { try body([], $0) } }
    let header = try RecordHeader(of: self, limit: columns)
    var end = header.byteCount
    for type in header.types {
      let bytes = RecordHeader.byteCount(of: type)
      guard bytes <= payloadBytes - end else { throw DamagedPage(page.number, .record) }
      end += bytes
    }
    return try withPrefix(end) {
      try body(header.types, UnsafeRawBufferPointer(rebasing: $0[header.byteCount...]))
    }
  }
}

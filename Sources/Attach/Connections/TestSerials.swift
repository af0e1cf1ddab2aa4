import ExhibitSystem

/// Serials of tests in ascending order, searched by halving, since there may be thousands.
///
/// A `Set` would cost each process 0.1 ms when it is first used, and with `--parallel` each test has a process.
struct TestSerials: Sendable {
  private(set) var all: [Int] = []

  var isEmpty: Bool { all.isEmpty }

  func contains(_ serial: Int) -> Bool {
    let place = place(of: serial)
    return place < all.count && all[place] == serial
  }

  /// - Returns: True when it was not among them.
  @discardableResult
  mutating func insert(_ serial: Int) -> Bool {
    let place = place(of: serial)
    if place < all.count, all[place] == serial { return false }
    all.insert(serial, at: place)
    return true
  }

  /// - Returns: True when it was among them.
  mutating func remove(_ serial: Int) -> Bool {
    let place = place(of: serial)
    guard place < all.count, all[place] == serial else { return false }
    all.remove(at: place)
    return true
  }

  /// The index where the serial is or would be.
  private func place(of serial: Int) -> Int {
    // Mostly it is the newest one.
    guard let last = all.last, last >= serial else { return all.count }
    return all.place(behind: { $0 < serial })
  }
}

extension TestSerials {
  init(_ serials: [Int]) {
    self.init(all: serials.sorted())
  }
}

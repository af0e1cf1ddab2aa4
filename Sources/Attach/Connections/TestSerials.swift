import ExhibitSystem

/// Test numbers in ascending order; a `Set` would cost each process 0.1 ms.
struct TestSerials: Sendable {
  private(set) var all: [Int] = []

  var isEmpty: Bool { all.isEmpty }

  func contains(_ serial: Int) -> Bool {
    let place = place(of: serial)
    return place < all.count && all[place] == serial
  }

  @discardableResult
  mutating func insert(_ serial: Int) -> Bool {
    let place = place(of: serial)
    if place < all.count, all[place] == serial { return false }
    all.insert(serial, at: place)
    return true
  }

  mutating func remove(_ serial: Int) -> Bool {
    let place = place(of: serial)
    guard place < all.count, all[place] == serial else { return false }
    all.remove(at: place)
    return true
  }

  private func place(of serial: Int) -> Int {
    guard let last = all.last, last >= serial else { return all.count }
    return all.place(behind: { $0 < serial })
  }
}

extension TestSerials {
  init(_ serials: [Int]) {
    self.init(all: serials.sorted())
  }
}

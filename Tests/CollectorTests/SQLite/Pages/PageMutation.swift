/// Changes pages at random where trees are hurt by it, the same way for the same seed.
struct PageMutation {
  private var numbers: SeededNumbers

  init(seed: UInt64) { numbers = SeededNumbers(seed: seed) }

  /// One to six changes of a database.
  mutating func mutated(_ bytes: [UInt8], pageSize: Int) -> [UInt8] {
    var bytes = bytes
    for _ in 0...numbers.below(6) {
      let page = numbers.below(bytes.count / pageSize)
      change(&bytes, page: page * pageSize..<(page + 1) * pageSize, pages: bytes.count / pageSize)
      if numbers.below(40) == 0 { bytes.removeLast(numbers.below(bytes.count / 2)) }
      if bytes.count < 2 * pageSize { return bytes }
    }
    return bytes
  }

  /// One to six changes of the pages in a WAL, whose checksums are made to fit in most cases.
  mutating func mutatedWAL(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    let pageSize = Int(word(bytes, 8))
    let frames = (bytes.count - 32) / (pageSize + 24)
    for _ in 0...numbers.below(6) {
      let frame = 32 + numbers.below(frames) * (pageSize + 24)
      change(&bytes, page: frame + 24..<frame + 24 + pageSize, pages: 60)
      // Another page, or another size of the database.
      if numbers.below(10) == 0 { put(UInt32(numbers.below(90)), &bytes, frame + 4 * numbers.below(2)) }
      if numbers.below(60) == 0 { put(UInt32.max, &bytes, frame + 4 * numbers.below(2)) }
    }
    if numbers.below(20) > 0 { seal(&bytes, frames, pageSize) }
    return bytes
  }

  private mutating func change(_ bytes: inout [UInt8], page: Range<Int>, pages: Int) {
    let header = page.lowerBound == 0 ? 100 : page.lowerBound
    switch numbers.below(8) {
    case 0: bytes[page.lowerBound + numbers.below(page.count)] = UInt8(truncatingIfNeeded: numbers.next())
    case 1: bytes[header] = [2, 5, 10, 13, 0][numbers.below(5)]
    case 2: bytes[header + 3 + numbers.below(2)] = UInt8(truncatingIfNeeded: numbers.next())
    case 3: put(UInt32(numbers.below(pages + 2)), &bytes, header + 8)
    case 4: bytes[header + 8 + numbers.below(40)] = UInt8(truncatingIfNeeded: numbers.next())
    case 5:
      // Varints of nine bytes.
      let start = page.lowerBound + numbers.below(page.count - 9)
      for offset in 0..<9 { bytes[start + offset] = 0xff }
    case 6: put(UInt32(numbers.below(pages + 2)), &bytes, page.lowerBound + numbers.below(page.count - 4))
    default:
      let other = numbers.below(bytes.count / page.count) * page.count
      for offset in 0..<min(page.count, bytes.count - other) {
        bytes[page.lowerBound + offset] = bytes[other + offset]
      }
    }
  }

  private func word(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
    bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }

  private func put(_ word: UInt32, _ bytes: inout [UInt8], _ offset: Int) {
    for place in 0..<4 { bytes[offset + place] = UInt8(truncatingIfNeeded: word >> UInt32(24 - 8 * place)) }
  }

  /// Source: https://www.sqlite.org/fileformat2.html, section 4.2.
  private func seal(_ bytes: inout [UInt8], _ frames: Int, _ pageSize: Int) {
    let isBig = word(bytes, 0) & 1 == 1
    var sum = (first: word(bytes, 24), second: word(bytes, 28))
    for frame in 0..<frames {
      let start = 32 + frame * (pageSize + 24)
      for range in [start..<start + 8, start + 24..<start + 24 + pageSize] {
        for offset in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
          let words = (word(bytes, offset), word(bytes, offset + 4))
          sum.first = sum.first &+ (isBig ? words.0 : words.0.byteSwapped) &+ sum.second
          sum.second = sum.second &+ (isBig ? words.1 : words.1.byteSwapped) &+ sum.first
        }
      }
      put(sum.first, &bytes, start + 16)
      put(sum.second, &bytes, start + 20)
    }
  }
}

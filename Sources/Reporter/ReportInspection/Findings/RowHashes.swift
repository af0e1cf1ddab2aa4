import ExhibitCSQLite

/// Hashes of rows, to find equal ones; two rows collide once in 2^64.
struct RowHashes {
  private var hashes: [Int] = []

  var count: Int { hashes.count }

  mutating func add(_ hash: Int) { hashes.append(hash) }

  mutating func takeAll() -> Set<Int> {
    defer { hashes = [] }
    return Set(hashes)
  }

  /// Removes the hashes and returns repeated ones, with the number of rows beyond the first of each.
  mutating func takeRepeated() -> (repeated: Set<Int>, surplus: Int) {
    hashes.sort()
    defer { hashes = [] }
    var (repeated, surplus): (Set<Int>, Int) = ([], 0)
    for index in hashes.indices.dropFirst() where hashes[index] == hashes[index - 1] {
      repeated.insert(hashes[index])
      surplus += 1
    }
    return (repeated, surplus)
  }
}

extension Hasher {
  /// Hashes a value; a text trimmed, without case, and in one Unicode normalisation.
  mutating func combineFolded(_ statement: InspectionStatement, at column: Int32) {
    guard statement.type(at: column) == SQLITE_TEXT, let utf8 = statement.utf8(at: column) else {
      statement.hash(at: column, into: &self)
      return
    }
    combine(SQLITE_TEXT)
    if utf8.allSatisfy({ $0 < 0x80 }) {
      combineFolded(ascii: utf8)
    } else {
      let folded = foldedKey(String(decoding: utf8, as: UTF8.self))
      // Lower case can turn other letters into ASCII.
      if folded.utf8.allSatisfy({ $0 < 0x80 }) {
        var folded = folded
        folded.withUTF8 { combineFolded(ascii: $0) }
      } else {
        combine(folded)
      }
    }
  }

  private mutating func combineFolded(ascii bytes: UnsafeBufferPointer<UInt8>) {
    var (start, end) = (0, bytes.count)
    while start < end, isASCIISpace(bytes[start]) { start += 1 }
    while start < end, isASCIISpace(bytes[end - 1]) { end -= 1 }
    withUnsafeTemporaryAllocation(byteCount: end - start, alignment: 1) { folded in
      for index in start..<end {
        let byte = bytes[index]
        folded[index - start] = byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
      }
      combine(bytes: UnsafeRawBufferPointer(folded))
    }
    combine(end - start)
  }
}

private func isASCIISpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte >= 0x09 && byte <= 0x0D }

/// A trimmed, lower-case key; `==` ignores Unicode normalisation.
func foldedKey(_ text: String) -> String { trimmedKey(text).lowercased() }

func trimmedKey(_ text: String) -> String {
  var text = text[...]
  while let last = text.last, last.isWhitespace { text.removeLast() }
  return String(text.drop(while: \.isWhitespace))
}

extension Hasher {
  /// Hashes a value exactly; a text as UTF-8 whatever the database's encoding.
  mutating func combineWhole(_ statement: InspectionStatement, at column: Int32) {
    guard statement.type(at: column) == SQLITE_TEXT, let utf8 = statement.utf8(at: column) else {
      statement.hash(at: column, into: &self)
      return
    }
    combine(SQLITE_TEXT)
    combine(bytes: UnsafeRawBufferPointer(utf8))
    combine(utf8.count)
  }
}

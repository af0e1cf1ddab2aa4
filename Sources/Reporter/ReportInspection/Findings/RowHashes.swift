import ExhibitCSQLite

/// The hashes of rows, from which those come out that are alike; equal hashes are those of equal rows but for one
/// in 2^64.
struct RowHashes {
  private var hashes: [Int] = []

  var count: Int { hashes.count }

  mutating func add(_ hash: Int) { hashes.append(hash) }

  /// Takes the hashes, each once.
  mutating func takeAll() -> Set<Int> {
    defer { hashes = [] }
    return Set(hashes)
  }

  /// Takes the hashes and tells which occur more than once, and how many rows beyond the first of each there are.
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
  /// Feeds a value, with its text folded: without white space around it, without case, and its characters encoded in
  /// one way.
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
      // A letter that is no ASCII may be one in lower case.
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

/// A key without white space around it and without case; `==` of texts leaves aside how characters are encoded.
func foldedKey(_ text: String) -> String { trimmedKey(text).lowercased() }

/// A key without white space around it.
func trimmedKey(_ text: String) -> String {
  var text = text[...]
  while let last = text.last, last.isWhitespace { text.removeLast() }
  return String(text.drop(while: \.isWhitespace))
}

extension Hasher {
  /// Feeds a value as it is; a text by its UTF-8, whatever the database's encoding.
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

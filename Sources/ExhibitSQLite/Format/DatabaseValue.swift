/// A value of SQLite, or its beginning.
package enum DatabaseValue: Sendable, Hashable {
  case null
  case integer(Int64)
  case real(Double)
  /// Invalid UTF-8 is U+FFFD; `whole` is there for a cut value.
  case text(String, whole: Whole? = nil)
  case blob([UInt8], whole: Whole? = nil)

  /// The size of a cut value.
  package struct Whole: Sendable, Hashable {
    /// Of a record's text as stored, of other texts in UTF-8.
    package var bytes: Int
    /// FNV-1a of all stored bytes.
    package var digest: UInt64?

    package init(bytes: Int, digest: UInt64? = nil) {
      (self.bytes, self.digest) = (bytes, digest)
    }
  }
}

extension DatabaseValue {
  package static func blob(_ kept: [UInt8], of bytes: Int) -> DatabaseValue {
    .blob(kept, whole: bytes > kept.count ? Whole(bytes: bytes) : nil)
  }

  package var byteCount: Int {
    switch self {
    case .text(let text, let whole): whole?.bytes ?? text.utf8.count
    case .blob(let bytes, let whole): whole?.bytes ?? bytes.count
    case .null, .integer, .real: 0
    }
  }

  package var isCut: Bool {
    switch self {
    case .text(_, let whole), .blob(_, let whole): whole != nil
    case .null, .integer, .real: false
    }
  }

  /// Cut for showing, without a digest.
  ///
  /// - Parameters:
  ///   - limit: Bytes of a text or a blob.
  ///   - blobLimit: Bytes of a blob, if less.
  package func shown(limit: Int, blobLimit: Int) -> DatabaseValue {
    switch self {
    case .null, .integer, .real: return self
    case .text(let text, let whole):
      let isLong = text.utf8.count > limit
      return .text(
        isLong ? String(wholeScalarsOf: Array(text.utf8.prefix(limit))) : text,
        whole: isLong || whole != nil ? Whole(bytes: byteCount) : nil)
    case .blob(let bytes, _): return .blob(Array(bytes.prefix(min(limit, blobLimit))), of: byteCount)
    }
  }
}

extension String {
  package init(decoding utf8: UnsafeBufferPointer<UInt8>, limit: Int) {
    if utf8.count > limit {
      self.init(wholeScalarsOf: utf8.prefix(limit))
    } else {
      self.init(decoding: utf8, as: UTF8.self)
    }
  }

  /// Drops a scalar cut at the end.
  package init(wholeScalarsOf bytes: some BidirectionalCollection<UInt8>) {
    var end = bytes.endIndex
    // A scalar has up to three bytes after its first.
    for back in 1...4 where end != bytes.startIndex {
      bytes.formIndex(before: &end)
      let byte = bytes[end]
      guard byte & 0xc0 != 0x80 else { continue }
      let length = byte < 0xc0 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4
      if length <= back { end = bytes.endIndex }
      self.init(decoding: bytes[..<end], as: UTF8.self)
      return
    }
    self.init(decoding: bytes, as: UTF8.self)
  }
}

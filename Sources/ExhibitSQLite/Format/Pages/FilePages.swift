package import ExhibitSystem

/// The pages of a database file without its WAL.
package final class FilePages: PageSource {
  package let pageSize: Int
  package let pageCount: UInt32
  package let file: any ReadableFile
  private let cache: PageCache

  /// An empty file has no page.
  ///
  /// The header's page count is used if valid, up to what the file has. Source:
  /// https://www.sqlite.org/fileformat2.html, section 1.3.7.
  package init(_ file: any ReadableFile) throws {
    let bytes = try file.size()
    let start = try file.bytes(min(bytes, DatabaseHeader.byteCount))
    self.file = file
    guard !start.isEmpty else {
      (pageSize, pageCount) = (4096, 0)
      cache = PageCache(pageSize: pageSize)
      return
    }
    guard let header = DatabaseHeader(start), header.hasPossiblePageSize else {
      throw DamagedPage(1, .noHeader)
    }
    pageSize = header.pageSize
    let inFile = (bytes + pageSize - 1) / pageSize
    let counted = start.word(24) == start.word(92) ? Int(start.word(28)) : 0
    guard inFile <= DatabaseState.pageLimit else { throw DamagedPage(1, .tooManyPages) }
    pageCount = UInt32(counted > 0 ? min(counted, inFile) : inFile)
    cache = PageCache(pageSize: pageSize)
  }

  package func page(_ number: UInt32) throws -> DatabasePage {
    guard number > 0, number <= pageCount else { throw DamagedPage(number, .missing) }
    return try cache.page(at: Int(number)) { try read(number) }
  }

  func read(_ number: UInt32) throws -> DatabasePage {
    try DatabasePage(number, pageSize: pageSize) { try file.fill($0, at: (Int(number) - 1) * pageSize) }
  }
}

extension DatabaseHeader {
  var hasPossiblePageSize: Bool { (512...65536).contains(pageSize) && pageSize.nonzeroBitCount == 1 }
}

extension [UInt8] {
  package func word(_ offset: Int) -> UInt32 { withUnsafeBytes { $0.word(offset) } }
}

extension UnsafeRawBufferPointer {
  /// A big-endian number of four bytes, which must be there.
  func word(_ offset: Int) -> UInt32 {
    UInt32(bigEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  /// A big-endian number of two bytes, which must be there.
  func half(_ offset: Int) -> Int {
    Int(UInt16(bigEndian: loadUnaligned(fromByteOffset: offset, as: UInt16.self)))
  }
}

import Collector
import ExhibitSQLite
import Testing

/// Databases in memory as a connection saw them, with a statement and without one.
@Suite struct DatabaseImageTests {
  private func image(_ sql: String, limit: Int = 1 << 20, isClosing: Bool = false) throws
    -> DatabaseImage.Reading
  {
    let live = try TestConnection(":memory:", sql)
    return DatabaseImage.read(
      "main", on: try #require(live.pointer), limit: limit, isClosing: isClosing, image: .linked)
  }

  private func bytes(_ sql: String) throws -> [UInt8] {
    guard case .image(let image) = try self.image(sql),
      case .image(let last) = try self.image(sql, isClosing: true)
    else { return [] }
    let bytes = try image.bytes()
    #expect(try last.bytes() == bytes)
    return bytes
  }

  @Test func everyPageIsRead() throws {
    let read = try bytes(
      "CREATE TABLE t(x); INSERT INTO t VALUES(replace(hex(zeroblob(9000)), '00', 'abcd'))")
    #expect(read.count > 36_000)
    #expect(String(decoding: read, as: UTF8.self).contains("CREATE TABLE t(x)"))
  }

  @Test func pagesOfAnotherSizeAreRead() throws {
    for size in [4096, 1024, 65536, 512, 4096] {
      let read = try bytes("PRAGMA page_size = \(size); CREATE TABLE t(x)")
      #expect(read.count == 2 * size)
    }
  }

  @Test func anotherEncodingIsRead() throws {
    for encoding in ["UTF-8", "UTF-16le", "UTF-8"] {
      let read = try bytes("PRAGMA encoding = '\(encoding)'; CREATE TABLE t(x)")
      // Offset 56 of the header: https://sqlite.org/fileformat2.html.
      #expect(read[59] == (encoding == "UTF-8" ? 1 : 2))
    }
  }

  @Test(arguments: [false, true]) func whatIsEmptyOrTooLargeIsSaid(isClosing: Bool) throws {
    guard case .empty = try image("SELECT 1", isClosing: isClosing) else {
      Issue.record("It is empty.")
      return
    }
    guard case .tooLarge(let bytes) = try image("CREATE TABLE t(x)", limit: 100, isClosing: isClosing) else {
      Issue.record("It is too large.")
      return
    }
    #expect(bytes == 8192)
  }
}

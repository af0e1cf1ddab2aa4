#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A `-wal` that another database left: opening the store would make SQLite read it as the store's own.
enum ForeignWAL {
  /// Says so before anything opens the store.
  ///
  /// - Throws: `StoreMigrationError` with the reason `foreignWAL`.
  static func check(_ store: String) throws(StoreMigrationError) {
    guard try Files.size(store + "-wal") > 0, let sign = try sign(store) else { return }
    throw StoreMigrationError(
      .foreignWAL, store,
      "The -wal beside the store belongs to another database: \(sign)."
        + " Do not open the store; move the -wal and -shm away, and then see what is in each.")
  }

  /// Why the WAL is not the store's own, as the end of a sentence.
  private static func sign(_ store: String) throws(StoreMigrationError) -> String? {
    let start = try Connection(store, .immutable).read(100, at: 0)
    if start.isEmpty { return "the store is empty" }
    // What is no database is SQLite's to refuse.
    guard let database = Header(start), let wal = try WAL(store + "-wal") else { return nil }
    if !database.isWAL { return "the store is not in WAL mode" }
    if wal.pageSize != database.pageSize {
      return "its pages have \(wal.pageSize) bytes, the store's \(database.pageSize)"
    }
    guard let last = try wal.lastHeader() else { return nil }
    if last.schemaCookie.isBefore(database.schemaCookie) { return "its schema is older than the store's" }
    if last.changeCounter.isBefore(database.changeCounter) { return "its changes are older than the store's" }
    return nil
  }

  /// What counts of the first page (https://www.sqlite.org/fileformat2.html, section 1.3).
  private struct Header {
    var pageSize: Int
    var isWAL: Bool
    var changeCounter: UInt32
    var schemaCookie: UInt32

    init?(_ bytes: [UInt8]) {
      guard bytes.count >= 100, bytes.starts(with: Array("SQLite format 3\u{0}".utf8)) else { return nil }
      let size = Int(bytes[16]) << 8 | Int(bytes[17])
      pageSize = size == 1 ? 65536 : size
      isWAL = bytes[19] == 2
      changeCounter = bytes.word(at: 24)
      schemaCookie = bytes.word(at: 40)
    }
  }

  /// The frames of a WAL (section 4.1); they belong to it as long as they carry its salts.
  private struct WAL {
    var pageSize: Int
    private let file: ReadFile
    private let salts: [UInt8]

    init?(_ path: String) throws(StoreMigrationError) {
      guard let file = try ReadFile(path) else { return nil }
      let start = try file.read(32, at: 0)
      guard start.count == 32, start.word(at: 0) & ~1 == 0x377f_0682 else { return nil }
      pageSize = Int(start.word(at: 8))
      guard (512...65536).contains(pageSize) else { return nil }
      salts = Array(start[16..<24])
      self.file = file
    }

    /// The database header as the WAL's last transaction left it, if any wrote it.
    func lastHeader() throws(StoreMigrationError) -> Header? {
      var offset = 32
      var last: Int?
      var header = try file.read(24, at: offset)
      var candidate: Int?
      while header.count == 24, Array(header[8..<16]) == salts {
        if header.word(at: 0) == 1 { candidate = offset + 24 }
        if header.word(at: 4) != 0 { last = candidate ?? last }
        offset += 24 + pageSize
        header = try file.read(24, at: offset)
      }
      guard let last else { return nil }
      return Header(try file.read(100, at: last))
    }
  }
}

/// A file that is read; a WAL has no locks that closing it could drop.
private final class ReadFile {
  private let path: String
  private let descriptor: Int32

  init?(_ path: String) throws(StoreMigrationError) {
    self.path = path
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0 {
      if errno == ENOENT { return nil }
      throw StoreMigrationError(errno: errno, path, "open it")
    }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Fewer bytes at the end of the file.
  func read(_ count: Int, at offset: Int) throws(StoreMigrationError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let read = pread(descriptor, &bytes, count, off_t(offset))
    guard read >= 0 else { throw StoreMigrationError(errno: errno, path, "read it") }
    return Array(bytes.prefix(read))
  }
}

extension [UInt8] {
  fileprivate func word(at offset: Int) -> UInt32 {
    self[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }
}

extension UInt32 {
  /// Whether a counter that wraps around is behind another one.
  fileprivate func isBefore(_ other: UInt32) -> Bool { Int32(bitPattern: self &- other) < 0 }
}

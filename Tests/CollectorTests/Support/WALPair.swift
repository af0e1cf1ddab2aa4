import Collector
import ExhibitCSQLite
import ExhibitSQLite
import Foundation

/// A database and its WAL as bytes, to be damaged and captured.
struct WALPair {
  var database: Data
  var wal: Data

  /// What a process leaves that ends without a checkpoint after running `statements`.
  ///
  /// - Parameter last: Runs in a transaction that is not committed when the bytes are taken.
  init(in folder: TemporaryFolder, _ setup: String, _ statements: [String], uncommitted last: String = "")
    throws
  {
    let path = folder("pair-\(UUID().uuidString).db")
    let live = try TestConnection(path, "\(setup); PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0")
    for statement in statements { try live.execute(statement) }
    if !last.isEmpty { try live.execute("PRAGMA cache_size=1; PRAGMA cache_spill=1; BEGIN; \(last)") }
    // Nobody but this connection needs the locks that reading the files here drops.
    database = bytes(of: path) ?? Data()
    wal = bytes(of: path + "-wal") ?? Data()
    live.close()
    for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
  }

  func write(to path: String) throws {
    try database.write(to: URL(fileURLWithPath: path))
    try wal.write(to: URL(fileURLWithPath: path + "-wal"))
  }

  /// The same WAL as a machine of the other byte order would have written it.
  var withOtherByteOrder: WALPair {
    var pair = self
    var words = Words(wal)
    let isBigEndian = words[0] & 1 == 0
    words[0] ^= 1
    var sum: (UInt32, UInt32) = (0, 0)
    words.add(0..<6, to: &sum, bigEndian: isBigEndian)
    (words[6], words[7]) = sum
    let frame = 6 + Int(words[2]) / 4
    for start in stride(from: 8, through: words.count - frame, by: frame) {
      words.add(start..<start + 2, to: &sum, bigEndian: isBigEndian)
      words.add(start + 6..<start + frame, to: &sum, bigEndian: isBigEndian)
      (words[start + 4], words[start + 5]) = sum
    }
    pair.wal = words.data
    return pair
  }

  /// What SQLite's own recovery makes of the pair, and how many frames it found.
  func recovered(in folder: TemporaryFolder) throws -> (database: Data, frames: Int32) {
    let path = folder("recovered.db")
    try write(to: path)
    defer {
      for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    }
    var frames: Int32 = 0
    let connection = try SQLiteConnection(path: path, flags: SQLITE_OPEN_READWRITE, image: .linked)
    try connection.handle.execute(
      "PRAGMA locking_mode=EXCLUSIVE; PRAGMA synchronous=OFF; PRAGMA user_version")
    let code = sqlite3_wal_checkpoint_v2(
      connection.handle.pointer, "main", SQLITE_CHECKPOINT_PASSIVE, &frames, nil)
    guard code == SQLITE_OK, try connection.handle.text("PRAGMA journal_mode=DELETE") == "delete" else {
      throw TestConnection.Refused(message: "recovery: \(code)")
    }
    return (bytes(of: path) ?? Data(), frames)
  }
}

/// Big-endian words of a file.
private struct Words {
  private var words: [UInt32]
  var count: Int { words.count }
  var data: Data { words.withUnsafeBytes { Data($0) } }

  init(_ data: Data) {
    words = data.withUnsafeBytes { bytes in
      (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self) }
    }
  }

  subscript(_ index: Int) -> UInt32 {
    get { UInt32(bigEndian: words[index]) }
    set { words[index] = newValue.bigEndian }
  }

  func add(_ range: Range<Int>, to sum: inout (UInt32, UInt32), bigEndian: Bool) {
    for index in stride(from: range.lowerBound, to: range.upperBound, by: 2) {
      let pair = (words[index], words[index + 1])
      sum.0 &+= (bigEndian ? pair.0.bigEndian : pair.0.littleEndian) &+ sum.1
      sum.1 &+= (bigEndian ? pair.1.bigEndian : pair.1.littleEndian) &+ sum.0
    }
  }
}

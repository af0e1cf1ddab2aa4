import Collector
import ExhibitCSQLite
import ExhibitSQLite
import Foundation
import Testing

@testable import Attach

/// A state that cannot be read is lost with its reason, and is no empty one.
@Suite(.serialized) struct BaselineStateTests {
  /// Makes an open file of two pages fail to be read from some offset on.
  private final class FailingFile {
    nonisolated(unsafe) static var real: UnsafePointer<sqlite3_io_methods>?
    nonisolated(unsafe) static var firstUnreadable: Int64 = .max
    nonisolated(unsafe) static var hasFailed = false
    private let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)

    init(_ db: OpaquePointer) throws {
      var file: UnsafeMutablePointer<sqlite3_file>?
      sqlite3_file_control(db, "main", SQLITE_FCNTL_FILE_POINTER, &file)
      let open = try #require(file)
      Self.real = open.pointee.pMethods
      Self.hasFailed = false
      methods.initialize(to: try #require(Self.real).pointee)
      methods.pointee.xRead = { file, bytes, count, offset in
        guard offset < FailingFile.firstUnreadable || offset >= 8192 else {
          FailingFile.hasFailed = true
          return SQLITE_IOERR | 1 << 8
        }
        return FailingFile.real?.pointee.xRead(file, bytes, count, offset) ?? SQLITE_ERROR
      }
      methods.pointee.xFileControl = { file, operation, value in
        guard operation == SQLITE_FCNTL_LAST_ERRNO else {
          return FailingFile.real?.pointee.xFileControl(file, operation, value) ?? SQLITE_ERROR
        }
        value?.storeBytes(of: FailingFile.hasFailed ? EIO : 0, as: Int32.self)
        return SQLITE_OK
      }
      open.pointee.pMethods = UnsafePointer(methods)
    }
  }

  private func open(_ path: String) throws -> OpaquePointer {
    var db: OpaquePointer?
    #expect(sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nil) == SQLITE_OK)
    return try #require(db)
  }

  /// From the first page on, or from the second: of that `sqlite3_serialize` would make zeros.
  @Test(arguments: [0, 4096, Int64.max]) func whatCannotBeRead(from offset: Int64) throws {
    let path = NSTemporaryDirectory() + "baseline-\(UUID().uuidString).sqlite"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let writer = try open(path)
    #expect(sqlite3_exec(writer, "CREATE TABLE t(x); INSERT INTO t VALUES(1)", nil, nil, nil) == SQLITE_OK)
    sqlite3_close(writer)
    let db = try open(path)
    let file = try FailingFile(db)
    FailingFile.firstUnreadable = offset
    let state = try #require(BaselineState("main", on: db, connection: 1))
    switch state.content {
    case .memory(let image): #expect(offset == .max && image.count == 8192)
    case .lost(let reason): #expect(offset != .max && reason.contains("disk I/O error"), "\(reason)")
    default: Issue.record("\(state.content)")
    }
    FailingFile.firstUnreadable = .max
    withExtendedLifetime(file) { _ = sqlite3_close(db) }
  }
}

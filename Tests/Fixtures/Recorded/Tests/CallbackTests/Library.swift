import Foundation
import GRDBSQLite

typealias PreupdateHook =
  @convention(c) (
    UnsafeMutableRawPointer?, OpaquePointer?, Int32, UnsafePointer<CChar>?, UnsafePointer<CChar>?, Int64,
    Int64
  ) -> Void

/// As an app has it that declares the function itself, since the header tells it only to who asks.
@_silgen_name("sqlite3_preupdate_hook")
func setPreupdateHook(
  _ db: OpaquePointer?, _ call: PreupdateHook?, _ argument: UnsafeMutableRawPointer?
) -> UnsafeMutableRawPointer?

/// Functions of SQLite that not every library has, as an app finds them.
enum Library {
  static func function<Function>(_ name: String, as type: Function.Type = Function.self) -> Function {
    guard let symbol = dlsym(nil, name) else { preconditionFailure("This SQLite has no \(name).") }
    return unsafeBitCast(symbol, to: type)
  }

  typealias Value = @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Int32
  typealias Number = @convention(c) (OpaquePointer?) -> Int32
  static let old: Value = function("sqlite3_preupdate_old")
  static let new: Value = function("sqlite3_preupdate_new")
  static let count: Number = function("sqlite3_preupdate_count")
  static let depth: Number = function("sqlite3_preupdate_depth")
  static let blobColumn: Number = function("sqlite3_preupdate_blobwrite")

  /// What changes between its beginning and its end.
  final class Session {
    private var session: OpaquePointer?

    init(_ connection: OpaquePointer) {
      let create:
        @convention(c) (OpaquePointer?, UnsafePointer<CChar>, UnsafeMutablePointer<OpaquePointer?>) -> Int32 =
          function("sqlite3session_create")
      let attach: @convention(c) (OpaquePointer?, UnsafePointer<CChar>?) -> Int32 = function(
        "sqlite3session_attach")
      precondition(create(connection, "main", &session) == SQLITE_OK && attach(session, nil) == SQLITE_OK)
    }

    func note(_ name: String) {
      let get:
        @convention(c) (
          OpaquePointer?, UnsafeMutablePointer<Int32>, UnsafeMutablePointer<UnsafeMutableRawPointer?>
        ) -> Int32 = function("sqlite3session_changeset")
      var (count, bytes) = (Int32(0), UnsafeMutableRawPointer?.none)
      let code = get(session, &count, &bytes)
      let set = UnsafeRawBufferPointer(start: bytes, count: Int(count)).map { String($0, radix: 16) }
      sqlite3_free(bytes)
      Transcript.shared.note("session \(name): \(code) \(set.joined(separator: " "))")
    }

    func end() {
      let delete: @convention(c) (OpaquePointer?) -> Void = function("sqlite3session_delete")
      delete(session)
      session = nil
    }
  }
}

private func describe(_ value: OpaquePointer?) -> String {
  guard let value else { return "-" }
  return "\(sqlite3_value_type(value)):" + (sqlite3_value_text(value).map { String(cString: $0) } ?? "-")
}

private func text(_ pointer: UnsafePointer<CChar>?) -> String { pointer.map { String(cString: $0) } ?? "-" }
private func number(_ pointer: UnsafeMutableRawPointer?) -> Int { Int(bitPattern: pointer) }

extension OpaquePointer {
  func setUpdateHook(_ context: Int) {
    let former = sqlite3_update_hook(
      self,
      { context, operation, schema, table, key in
        Transcript.shared.note(
          "update \(number(context)): \(operation) \(text(schema)) \(text(table)) \(key)")
      }, argument(context))
    Transcript.shared.note("the former update hook was \(number(former))")
  }

  func removeUpdateHook() {
    Transcript.shared.note("the removed update hook was \(number(sqlite3_update_hook(self, nil, nil)))")
  }

  func setPreupdate(_ context: Int) {
    let former = setPreupdateHook(
      self,
      { context, db, operation, schema, table, key, newKey in
        var values: [String] = []
        for column in 0..<Library.count(db) {
          var (old, new) = (OpaquePointer?.none, OpaquePointer?.none)
          let codes = (Library.old(db, column, &old), Library.new(db, column, &new))
          values.append("\(codes) \(describe(old)) \(describe(new))")
        }
        Transcript.shared.note(
          "preupdate \(number(context)): \(operation) \(text(schema)) \(text(table)) \(key) \(newKey)"
            + " at \(Library.depth(db)), blob \(Library.blobColumn(db)): \(values.joined(separator: ", "))")
      }, argument(context))
    Transcript.shared.note("the former preupdate hook was \(number(former))")
  }

  func removePreupdate() {
    Transcript.shared.note("the removed preupdate hook was \(number(setPreupdateHook(self, nil, nil)))")
  }

  func setWALHook(_ context: Int) {
    let former = sqlite3_wal_hook(
      self,
      { context, _, schema, frames in
        Transcript.shared.note("WAL \(number(context)): \(text(schema)) \(frames)")
        return SQLITE_OK
      }, argument(context))
    // SQLite's own has the frames behind which it makes a checkpoint.
    Transcript.shared.note("the former WAL hook was \(number(former))")
  }

  func removeWALHook() {
    Transcript.shared.note("the removed WAL hook was \(number(sqlite3_wal_hook(self, nil, nil)))")
  }

  func removeProfile() {
    Transcript.shared.note("the removed profile was \(number(sqlite3_profile(self, nil, nil)))")
  }

  /// Runs a statement and writes its rows down.
  func explain(_ sql: String) {
    let statement = prepared(sql)
    while sqlite3_step(statement) == SQLITE_ROW {
      let row = (0..<sqlite3_column_count(statement)).map {
        sqlite3_column_text(statement, $0).map { String(cString: $0) } ?? "-"
      }
      Transcript.shared.note(row.joined(separator: " "))
    }
    sqlite3_finalize(statement)
  }

  func setCommitAndRollbackHooks(_ context: Int, refuses: Bool) {
    let commit = sqlite3_commit_hook(
      self,
      {
        Transcript.shared.note("commit \(number($0))")
        return number($0) % 2 == 1 ? 1 : 0
      }, argument(refuses ? context | 1 : context))
    let rollback = sqlite3_rollback_hook(
      self, { Transcript.shared.note("rollback \(number($0))") }, argument(context))
    Transcript.shared.note("the former hooks were \(number(commit)) and \(number(rollback))")
  }

  func prepared(_ sql: String) -> OpaquePointer? {
    var statement: OpaquePointer?
    Transcript.shared.note("prepare \(sql): \(sqlite3_prepare_v2(self, sql, -1, &statement, nil))")
    return statement
  }

  /// Runs a prepared statement to its end, and tells how often it was prepared anew.
  func run(prepared statement: OpaquePointer?) {
    var codes: [Int32] = []
    repeat { codes.append(sqlite3_step(statement)) } while codes.last == SQLITE_ROW
    codes.append(sqlite3_reset(statement))
    Transcript.shared.note(
      "run prepared \(text(sqlite3_sql(statement))): \(codes), \(sqlite3_changes(self)) changed, anew "
        + "\(sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_REPREPARE, 0))")
    noteError()
  }
}

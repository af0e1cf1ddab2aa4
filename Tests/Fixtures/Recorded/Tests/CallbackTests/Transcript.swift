import Foundation
import GRDBSQLite

/// What callbacks of the app heard, in order, with the argument that each was set with.
final class Transcript: @unchecked Sendable {
  static let shared = Transcript()
  private let lock = NSLock()
  private var lines: [String] = []

  func note(_ line: String) {
    lock.withLock { lines.append(line) }
  }

  func forget() {
    lock.withLock { lines = [] }
  }

  /// Ends in the folder `CALLBACK_TRANSCRIPTS` under the name of a test.
  func write(as name: String) throws {
    let text = lock.withLock {
      defer { lines = [] }
      return lines.joined(separator: "\n") + "\n"
    }
    let folder = ProcessInfo.processInfo.environment["CALLBACK_TRANSCRIPTS"] ?? NSTemporaryDirectory()
    try text.write(toFile: folder + "/" + name, atomically: false, encoding: .utf8)
  }
}

private func text(_ pointer: UnsafePointer<CChar>?) -> String { pointer.map { String(cString: $0) } ?? "-" }
private func number(_ pointer: UnsafeMutableRawPointer?) -> Int { Int(bitPattern: pointer) }

/// The argument of a callback: a number that stands where a pointer would.
func argument(_ number: Int) -> UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: number) }

private enum Authorizer {
  nonisolated(unsafe) static var refused: Int32 = 0
}

extension OpaquePointer {
  func setAuthorizer(_ context: UnsafeMutableRawPointer?) {
    sqlite3_set_authorizer(
      self,
      { context, action, first, second, database, inner in
        // Reads what the app gave it, if that is a pointer.
        if number(context) > 1 << 20 { context.map { _ = $0.load(as: Int.self) } }
        let words = [first, second, database, inner].map(text).joined(separator: " ")
        Transcript.shared.note("authorizer \(number(context) % (1 << 20)): \(action) \(words)")
        return SQLITE_OK
      }, context)
  }

  /// One that refuses an action.
  func setAuthorizer(_ context: UnsafeMutableRawPointer?, refusing action: Int32) {
    Authorizer.refused = action
    sqlite3_set_authorizer(
      self,
      { context, action, first, second, database, inner in
        let words = [first, second, database, inner].map(text).joined(separator: " ")
        Transcript.shared.note("authorizer \(number(context)): \(action) \(words)")
        return action == Authorizer.refused ? SQLITE_DENY : SQLITE_OK
      }, context)
  }

  func setProgressHandler(_ context: Int) {
    sqlite3_progress_handler(
      self, 1,
      {
        Transcript.shared.note("progress \(number($0))")
        return 0
      }, argument(context))
  }

  func setBusyHandler(_ context: Int) {
    sqlite3_busy_handler(
      self,
      {
        Transcript.shared.note("busy \(number($0)): \($1)")
        return $1 < 2 ? 1 : 0
      }, argument(context))
  }

  func setTrace(_ context: Int, _ events: Int32) {
    sqlite3_trace_v2(
      self, UInt32(events),
      { event, context, _, detail in
        let isStatement = event == UInt32(SQLITE_TRACE_STMT)
        let words = isStatement ? text(detail?.assumingMemoryBound(to: CChar.self)) : ""
        Transcript.shared.note("trace \(number(context)): \(event) \(words)")
        return 0
      }, argument(context))
  }

  func setLegacyTrace(_ context: Int) {
    let former = sqlite3_trace(
      self, { Transcript.shared.note("legacy trace \(number($0)): \(text($1))") }, argument(context))
    Transcript.shared.note("the former trace was \(number(former))")
  }

  func setProfile(_ context: Int) {
    let former = sqlite3_profile(
      self, { context, sql, _ in Transcript.shared.note("profile \(number(context)): \(text(sql))") },
      argument(context))
    Transcript.shared.note("the former profile was \(number(former))")
  }

  func setCallbacks(from first: Int) {
    setAuthorizer(argument(first))
    setProgressHandler(first + 1)
    setBusyHandler(first + 2)
    setTrace(first + 3, SQLITE_TRACE_STMT | SQLITE_TRACE_PROFILE | SQLITE_TRACE_ROW | SQLITE_TRACE_CLOSE)
  }

  /// What an app would throw now.
  func noteError() {
    let (code, system) = (sqlite3_extended_errcode(self), sqlite3_system_errno(self))
    Transcript.shared.note("error \(code), system \(system): \(text(sqlite3_errmsg(self)))")
  }

  /// Runs statements, as an app that looks at errors.
  func run(_ sql: String) {
    Transcript.shared.note("run \(sql): \(sqlite3_exec(self, sql, nil, nil, nil))")
    noteError()
  }
}

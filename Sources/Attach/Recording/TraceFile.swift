import Collector
import ExhibitCSystem
import ExhibitStart
import ExhibitSystem
import Glibc

/// The file of this process's ring, which outlives a crash.
///
/// The ring starts in memory, and stays there when it can have no file.
final class TraceFile: Sendable {
  /// Bytes: `$EXHIBIT_TRACE_SIZE`, or 4 MiB.
  let size: Int
  private let leastFree: Int
  private let state = Locked(State())

  private struct State {
    var path: String?
    var lack: TraceInMemory?
    var isLackTold = false
    /// Another recorder of this process has made the file.
    var isElsewhere = false
    /// Tables in lower case; of their statements only the text is recorded.
    var excluded: Set<String> = []
  }

  init(size: Int, leastFree: Int) {
    self.size = size
    self.leastFree = leastFree
  }

  var lack: TraceInMemory? { state.withLock { $0.lack } }

  var untoldLack: TraceInMemory? {
    state.withLock { state in
      guard let lack = state.lack, !state.isLackTold else { return nil }
      state.isLackTold = true
      return lack
    }
  }

  /// An empty file, unless there is one or none can be made.
  private func make(in run: RunFolder) -> (descriptor: Int32, path: String)? {
    state.withLock { state in
      guard state.path == nil, state.lack == nil, !state.isElsewhere else { return nil }
      do throws(SystemError) {
        let path = run.tracePath(of: ProcessIdentity.current ?? ProcessIdentity(pid: getpid(), startTicks: 0))
        let descriptor = try create(path, in: run)
        state.path = path
        return (descriptor, path)
      } catch {
        state.lack = TraceInMemory(error)
        return nil
      }
    }
  }

  private func create(_ path: String, in run: RunFolder) throws(SystemError) -> Int32 {
    let free = FileSystem.freeBytes(at: run.path) ?? 0
    guard free >= leastFree, free - leastFree >= size else {
      throw SystemError("leave enough of the disk free with the trace in", run.path, code: ENOSPC)
    }
    _ = try FileSystem.createFolder(run.traceFolder)
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw SystemError("create", path) }
    guard exhibit_changes_in_place(descriptor) else {
      close(descriptor)
      unlink(path)
      throw SystemError("change in place what the file system copies on write, as", path, code: ENOTSUP)
    }
    return descriptor
  }

  func move(to run: RunFolder?) {
    guard exhibit_trace_exists() != 0, let run, let (descriptor, path) = make(in: run) else { return }
    let code = exhibit_trace_move(descriptor, path)
    if code != 0 { stayInMemory(code) }
  }

  private func stayInMemory(_ code: Int32) {
    state.withLock { state in
      if let path = state.path { unlink(path) }
      if code == EEXIST {
        state.isElsewhere = true
      } else {
        state.lack = TraceInMemory(SystemError("write", state.path ?? "", code: code))
      }
      state.path = nil
    }
  }

  func mark(_ kind: exhibit_trace_kind, of scope: TestScope, _ ordinal: UInt64? = nil) {
    let serial = UInt32(truncatingIfNeeded: scope.serial)
    guard let ordinal else { return exhibit_trace_mark(UInt16(kind.rawValue), serial, 0, nil, 0) }
    withUnsafeBytes(of: ordinal.littleEndian) { bytes in
      exhibit_trace_mark(UInt16(kind.rawValue), serial, 0, bytes.baseAddress, bytes.count)
    }
  }

  /// Stops recording statements that use these tables, and clears the ring.
  func exclude(_ tables: Set<String>) {
    let new = state.withLock { state in
      let new = Set(tables.map { $0.lowercased() }).subtracting(state.excluded)
      state.excluded.formUnion(new)
      return new
    }
    guard !new.isEmpty else { return }
    let names = new.sorted().joined(separator: "\0") + "\0"
    names.withCString { exhibit_trace_exclude($0) }
    exhibit_trace_clear("Tables were excluded; what the tests of the process did before is not told.")
  }

  func remove() {
    exhibit_trace_stop()
    state.withLock { state in
      if let path = state.path { unlink(path) }
      state.path = nil
    }
  }
}

extension TraceInMemory {
  fileprivate init(_ error: SystemError) {
    let reason: Reason =
      switch error.code {
      case ENOTSUP: .copiesOnWrite
      case ENOSPC: .tooLittleFree
      default: .io
      }
    self.init(reason: reason, message: error.description)
  }
}

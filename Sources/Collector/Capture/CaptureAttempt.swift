import ExhibitCSQLite
import ExhibitSQLite
import ExhibitSystem
import Glibc

/// One capture: runs a strategy, and chooses anew when the file changes meanwhile.
struct CaptureAttempt {
  let context: CaptureContext
  let helper: (@Sendable (HelperRequest) throws -> DatabaseCaptureResult)?
  private var publisher: CapturePublisher
  private var latest: (look: DatabaseLook, plan: CapturePlan)?
  var result: DatabaseCaptureResult { publisher.result }

  init(
    _ context: CaptureContext, helper: (@Sendable (HelperRequest) throws -> DatabaseCaptureResult)? = nil
  ) {
    self.context = context
    self.helper = helper
    publisher = CapturePublisher(context: context)
  }

  mutating func capture(_ source: DatabaseSource) {
    guard CaptureError.isFileName(context.name) else {
      return publisher.fail(CaptureError.unusableName(context.name))
    }
    switch source {
    case .file(let file): capture(file)
    case .inMemory(let connection): captureInMemory(connection)
    }
  }

  private mutating func captureInMemory(_ connection: LiveConnection) {
    do {
      try publisher.publishSerialized(try SerializedCapture(context: context).copy(connection, path: ""))
    } catch {
      publisher.fail(error)
    }
  }

  private mutating func capture(_ file: DatabaseFile) {
    do {
      try publishReading(file)
    } catch {
      let reason = CaptureError(error).reason
      if reason == .foreignHandle, let helper {
        let capture = HelperCapture(context: context, helper: helper)
        return publisher.adopt(capture.result(of: file))
      }
      publisher.fail(error)
      keepInsteadOfDatabase(file, reason)
    }
    captureUncommitted(file)
  }

  private mutating func publishReading(_ file: DatabaseFile) throws {
    do {
      try publisher.publish(try copy(file))
    } catch let error
      where (error as? SQLiteError)?.isUnreadable ?? (error as? SystemError)?.isOfReading ?? false
    {
      try publisher.publish(try copy(file))
    }
  }

  private mutating func copy(_ file: DatabaseFile) throws -> PrivateCopy {
    var change: SituationChange?
    while true {
      let found: SituationChange
      switch try run(file, after: change) {
      case .copy(let copy): return copy
      case .changed(let new): found = new
      }
      let isAnswered = found == .hotJournal && change != .hotJournal
      guard isAnswered || ContinuousClock.now < context.deadline else { throw CaptureError.busy(file.name) }
      if !isAnswered { usleep(2000) }
      change = found
    }
  }

  private mutating func run(_ file: DatabaseFile, after change: SituationChange?) throws -> CaptureOutcome {
    do {
      let look = try DatabaseLook(at: file, context)
      let plan = CapturePlan(for: look.situation, after: change)
      latest = (look, plan)
      return try outcome(of: plan, look)
    } catch let error as SystemError where error.code == ENOENT {
      guard (latest?.look.file ?? file).paths.contains(error.path) else { throw error }
      return .changed(.fileGone)
    } catch let error as SQLiteError where error.code == SQLITE_CANTOPEN {
      let file = latest?.look.file ?? file
      guard error.path == file.name, try FileStatus(path: file.path) == nil else { throw error }
      return .changed(.fileGone)
    }
  }

  private func outcome(of plan: CapturePlan, _ look: DatabaseLook) throws -> CaptureOutcome {
    let file = look.file
    switch plan {
    case .live:
      return try LiveCapture(context: context, file: file, isWAL: look.situation.mode == .wal).run()
    case .readTransaction: return try ReadTransactionCapture(context: context, file: file).run()
    case .files: return try FilesCapture(context: context, file: file).run()
    case .journal: return try JournalCapture(context: context, file: file).run()
    case .serialized: return .copy(try SerializedCapture(context: context).copyLost(file))
    case .helper: throw CaptureError.foreignHandle(file.name)
    case .left: throw CaptureError.missing(file.name)
    case .raw: throw CaptureError.notADatabase(file.name, "its first bytes are not those of one")
    case .refused: throw CaptureError.notADatabase(file.name, "not a regular file")
    }
  }

  private mutating func keepInsteadOfDatabase(_ file: DatabaseFile, _ reason: CaptureFailure.Reason) {
    if reason == .missing { return publisher.keepLeftBehind(file) }
    guard reason == .notADatabase, let latest, latest.plan != .refused, latest.plan != .serialized else {
      return
    }
    publisher.keepRaw(latest.look.file)
  }

  private mutating func captureUncommitted(_ file: DatabaseFile) {
    if result.files.contains(where: { $0.capture.method == .serialize }) { return }
    for connection in file.connectionsOfFailedTest {
      do {
        let capture = SerializedCapture(context: context)
        guard let copy = try capture.uncommitted(connection, path: file.path) else { continue }
        try publisher.publishSerialized(copy, ending: DatabaseCapture.View.uncommitted.nameEnding)
        return  // a database has one writer at a time
      } catch {
        publisher.fail(error)
      }
    }
  }
}

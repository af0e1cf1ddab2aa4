import Collector
import ExhibitSQLite
import ExhibitSystem
import Glibc

/// Databases on their way into a run's evidence folder, and the records of them.
struct PostMortemCapture {
  private let run: RunFolder
  private let rules: PostMortem
  private var folders: [TestCaseID: TestEvidenceFolder] = [:]
  private(set) var records: [LogRecord] = []
  /// Whether all that the process's ring held of its tests is in `records`.
  private(set) var hasReadRing = false

  /// The kinds of records that are made here.
  static let kinds = LogKinds([CapturedEvidence.self, CaptureFailure.self])

  init(into run: RunFolder, of rules: PostMortem) {
    self.run = run
    self.rules = rules
  }

  /// Captures a database, or records why it cannot be.
  ///
  /// - Throws: `SystemError` when nothing can be written where evidence belongs.
  mutating func add(_ database: LeftDatabase) throws {
    if let error = absence(of: database) {
      // What a test closed and then removed or replaced is no loss.
      if database.isOpen { records += database.failure(error) }
      return
    }
    guard let test = database.tests.first else { return }
    // Where a path leads decides, not what it looks like.
    guard let real = realPath(database.path), rules.openFolders.resolved.contain(real) else {
      records += database.failure(Self.outside(database))
      return
    }
    let reservation: EvidenceReservation
    do throws(CaptureError) {
      reservation = try reserve(real)
    } catch {
      records += database.failure(error)
      return
    }
    var files: [String] = []
    defer { reservation.settle(files) }
    var folder = try folders[test] ?? TestEvidenceFolder(for: test, in: run)
    let name = folder.claim(database.name, isStem: true)
    folders[test] = folder
    let capturer = DatabaseCapturer(
      limits: CaptureLimits(databaseBytes: min(rules.budget.database, reservation.room)),
      excludedTables: database.excludedTables,
      keepsHistory: true)
    let result = capturer.captureLeft(at: real, named: name, into: folder.path)
    for failure in result.failures { records += database.failure(failure) }
    for file in result.files { record(file, of: database, in: folder) }
    files = result.files.flatMap { [$0.file, $0.capture.history].compactMap { $0 } }.map {
      folder.path + "/" + $0
    }
    if result.files.isEmpty { try removeIfEmpty(folder, of: test) }
  }

  /// Writes the stories of tests that ran, or records why there is none.
  ///
  /// - Throws: `SystemError` when nothing can be written where evidence belongs.
  mutating func add(_ stories: [LeftStory], from ring: LeftRing) throws {
    let image: TraceImage
    do throws(CaptureError) {
      guard let found = try ring.image() else { return }
      image = found
    } catch {
      records += stories.map { $0.failure(error) }
      return
    }
    hasReadRing = true
    for story in stories {
      guard let lines = story.lines(from: image) else { continue }
      let reservation: EvidenceReservation
      do throws(CaptureError) {
        reservation = try rules.budget.reserve(lines.count, in: run)
      } catch {
        hasReadRing = false
        records.append(story.failure(error))
        continue
      }
      var folder = try folders[story.test] ?? TestEvidenceFolder(for: story.test, in: run)
      let name = folder.claim("story.jsonl", isStem: false)
      folders[story.test] = folder
      defer { reservation.settle([folder.path + "/" + name]) }
      try FileSystem.writeNewFile(folder.path + "/" + name, lines)
      let evidence = CapturedEvidence(
        kind: .story, name: name, path: folder.relativePath + "/" + name, bytes: lines.count)
      records.append(LogRecord(time: currentTime(), test: story.test, evidence))
    }
  }

  /// Takes back what was captured.
  func remove() throws(SystemError) {
    if let error = Budget.remove(folders.values.map(\.path), from: run).first { throw error }
  }

  private mutating func record(
    _ file: CapturedFile, of database: LeftDatabase, in folder: TestEvidenceFolder
  ) {
    var capture = file.capture
    capture.history = capture.history.map { folder.relativePath + "/" + $0 }
    let evidence = CapturedEvidence(
      kind: file.isDatabase ? .database : .file, name: database.name,
      path: folder.relativePath + "/" + file.file, bytes: file.bytes, source: database.path,
      duration: file.duration, database: capture)
    records += database.tests.map { test in
      LogRecord(time: currentTime(), test: test, evidence)
    }
  }

  private mutating func removeIfEmpty(_ folder: TestEvidenceFolder, of test: TestCaseID) throws {
    guard try FileSystem.entries(of: folder.path).isEmpty else { return }
    try FileSystem.remove(folder.path)
    folders[test] = nil
  }

  // MARK: - What is not captured

  /// Seconds by which clocks and file times may differ.
  private static let tolerance = 1.0

  /// Why the file that the test had open is not there any more.
  private func absence(of database: LeftDatabase) -> CaptureError? {
    guard let found = FileIdentity(path: database.path) else {
      return CaptureError(
        .missing,
        "The test process died while it was open, and there is no file at \(database.path) any more.")
    }
    // A number that was free again may be that of a new file.
    let birth = FileStatus.birth(of: database.path).map { Double($0) / 1e9 }
    let isNewer = birth.map { $0 > database.opened + Self.tolerance } ?? false
    guard database.file.map({ $0 == found }) ?? true, !isNewer else {
      return CaptureError(
        .missing,
        "The test process died while it was open, and another file lies at \(database.path) by now, which is not"
          + " captured in its place.")
    }
    return nil
  }

  private static func outside(_ database: LeftDatabase) -> CaptureError {
    CaptureError(
      .notAllowed,
      "\(database.path) lies outside the package and the temporary folders, so it is not captured after a crash."
    )
  }

  /// Takes room for a file and what lies beside it.
  ///
  /// - Throws: `CaptureError` when there is none.
  private func reserve(_ path: String) throws(CaptureError) -> EvidenceReservation {
    let paths = [path] + SideFile.withRows.map { $0.path(beside: path) }
    let sizes = paths.map { FileSystem.status($0).map { Int($0.st_size) } ?? 0 }
    return try rules.budget.reserve(FileSystem.sum(sizes), in: run)
  }
}

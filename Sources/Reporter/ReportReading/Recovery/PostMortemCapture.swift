import Collector
import ExhibitSQLite
import ExhibitSystem
import Glibc
import ReportModel

/// Captures databases into a run's evidence folder and records them.
struct PostMortemCapture {
  private let run: RunFolder
  private let rules: PostMortem
  private var folders: [TestCaseID: TestEvidenceFolder] = [:]
  private(set) var records: [LogRecord] = []
  /// What had no room here; `refusals` are its records.
  private(set) var refused = ProcessRemains()
  private(set) var refusals: [LogRecord] = []
  /// True when the stories have all of the ring's steps.
  private(set) var hasReadRing = false

  init(into run: RunFolder, of rules: PostMortem) {
    self.run = run
    self.rules = rules
  }

  /// Captures a database, or records why not.
  mutating func add(_ database: LeftDatabase) throws {
    guard let test = database.tests.first else { return }
    let real: String
    do {
      if let error = try absence(of: database) {
        // A closed database may be gone: no loss.
        if database.isOpen { records += database.failure(error) }
        return
      }
      real = try FileSystem.resolved(database.path) ?? database.path
    } catch {
      records += database.failure(CaptureError(.io, "\(error)"), files: database.noted)
      return
    }
    guard rules.openFolders.resolved.contain(real) else {
      let reason =
        "\(database.path) lies outside the package and the temporary folders, so it is not captured after a crash."
      records += database.failure(CaptureError(.notAllowed, reason), files: database.noted)
      return
    }
    if let failure = change(of: database, at: real) {
      records += database.failure(failure, files: database.noted)
      return
    }
    // Without a status a later attempt cannot compare the files.
    let files = database.noted ?? (try? LeftFile.all(of: real))
    let result = try capture(database, at: real, for: test)
    if let refusal = result.refusal {
      refused.databases.append(database)
      refusals += database.failure(refusal, files: files)
    } else {
      for failure in result.failures { records += database.failure(failure, files: files) }
    }
  }

  /// - Returns: Failures, and the reason why there is no room here.
  private mutating func capture(
    _ database: LeftDatabase, at real: String, for test: TestCaseID
  ) throws -> (failures: [CaptureError], refusal: CaptureError?) {
    let bytes = Self.bytes(of: real)
    if let refusal = refusal(of: bytes) { return ([], refusal) }
    let reservation: EvidenceReservation
    do throws(CaptureError) {
      reservation = try rules.budget.reserve(bytes, in: run)
    } catch {
      return ([error], nil)
    }
    var paths: [String] = []
    defer { reservation.settle(paths) }
    var folder = try evidenceFolder(of: test)
    let name = folder.claim(database.name, isStem: true)
    folders[test] = folder
    let capturer = DatabaseCapturer(
      limits: CaptureLimits(databaseBytes: min(rules.budget.database, reservation.room)),
      excludedTables: database.excludedTables,
      keepsHistory: true)
    let result = capturer.captureLeft(at: real, named: name, into: folder.path)
    for file in result.files { record(file, of: database, in: folder) }
    paths = result.files.flatMap { [$0.file, $0.capture.history].compactMap { $0 } }.map {
      folder.path + "/" + $0
    }
    guard result.files.isEmpty else { return (result.failures, nil) }
    try removeIfEmpty(folder, of: test)
    return (result.failures, result.failures.first { $0.reason == .io })
  }

  private func refusal(of bytes: Int) -> CaptureError? {
    rules.budget.diskObjection(to: bytes, in: run).map { CaptureError(.overBudget, $0, bytes: bytes) }
  }

  mutating func add(_ stories: [LeftStory], from ring: LeftRing) throws {
    guard !stories.isEmpty else { return }
    let image: TraceImage
    do throws(CaptureError) {
      guard let found = try ring.image() else { return }
      image = found
    } catch {
      records += stories.map { $0.failure(error) }
      return
    }
    hasReadRing = image.damage == nil
    if let damage = image.damage {
      let error = CaptureError(
        .io,
        "The trace of the process that died is damaged, and stays at \(ring.path.path). \(damage.sentence)")
      records += stories.map { $0.failure(error, named: "a part of story.jsonl") }
    }
    refused.ring = ring
    for story in stories {
      guard let lines = story.lines(from: image) else { continue }
      if let refusal = refusal(of: lines.count) {
        refuse(story, refusal)
        continue
      }
      do throws(SystemError) {
        try write(lines, of: story)
      } catch {
        refuse(story, CaptureError(.io, "\(error)", bytes: lines.count))
      }
    }
  }

  private mutating func refuse(_ story: LeftStory, _ refusal: CaptureError) {
    hasReadRing = false
    refused.stories.append(story)
    refusals.append(story.failure(refusal))
  }

  private mutating func write(_ lines: [UInt8], of story: LeftStory) throws(SystemError) {
    let reservation: EvidenceReservation
    do throws(CaptureError) {
      reservation = try rules.budget.reserve(lines.count, in: run)
    } catch {
      hasReadRing = false
      records.append(story.failure(error))
      return
    }
    var folder = try evidenceFolder(of: story.test)
    let name = folder.claim("story.jsonl", isStem: false)
    folders[story.test] = folder
    defer { reservation.settle([folder.path + "/" + name]) }
    try FileSystem.writeNewFile(folder.path + "/" + name, lines)
    let evidence = CapturedEvidence(
      kind: .story, name: name, path: folder.relativePath + "/" + name, bytes: lines.count)
    records.append(LogRecord(time: currentTime(), test: story.test, evidence))
  }

  private func evidenceFolder(of test: TestCaseID) throws(SystemError) -> TestEvidenceFolder {
    if let folder = folders[test] { return folder }
    return try TestEvidenceFolder(for: test, in: run)
  }

  func remove() throws(SystemError) {
    if let error = Budget.remove(folders.values.map(\.path), from: run).first { throw error }
  }

  private mutating func record(
    _ file: CapturedFile, of database: LeftDatabase, in folder: TestEvidenceFolder
  ) {
    var capture = file.capture
    if database.isTriedAgain { capture.note = Self.note(after: capture.note) }
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

  // MARK: - Reasons against a capture

  /// Seconds by which clocks and file times may differ.
  private static let tolerance = 1.0

  private func absence(of database: LeftDatabase) throws -> CaptureError? {
    guard let found = try FileStatus(path: database.path)?.identity else {
      return CaptureError(
        .missing,
        "The test process died while it was open, and there is no file at \(database.path) any more.")
    }
    // A new file may reuse an inode.
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

  private func change(of database: LeftDatabase, at real: String) -> CaptureError? {
    guard let noted = database.noted else { return nil }
    do throws(SystemError) {
      guard try LeftFile.all(of: real) != noted else { return nil }
      return CaptureError(
        .missing,
        "\(database.path) has changed since the first report after the crash, which could not capture it: what the test"
          + " process left of it is not there any more.")
    } catch {
      return CaptureError(.io, "\(error)")
    }
  }

  private static func note(after note: String?) -> String {
    let time = timeText(currentTime()) ?? "a later time"
    let sentence = "It is as it was at \(time): earlier reports could not capture it."
    return note.map { "\($0) \(sentence)" } ?? sentence
  }

  private static func bytes(of path: String) -> Int {
    let paths = [path] + SideFile.withRows.map { $0.path(beside: path) }
    return FileSystem.sum(paths.map { FileSystem.status($0).map { Int($0.st_size) } ?? 0 })
  }
}

import ExhibitSQLite

/// One capture under way: where its files go, until when it may wait, and what it has brought so far.
struct CaptureAttempt {
  let image: SQLiteImage
  let limits: CaptureLimits
  let deadline: ContinuousClock.Instant
  let folder: String
  let name: String
  let excludedTables: Set<String>
  let keepsHistory: Bool
  private let start = ContinuousClock.now
  private(set) var result = DatabaseCaptureResult()

  init(
    image: SQLiteImage, limits: CaptureLimits, deadline: ContinuousClock.Instant, folder: String,
    name: String, excludedTables: Set<String> = [], keepsHistory: Bool = false
  ) {
    self.image = image
    self.limits = limits
    self.deadline = deadline
    self.folder = folder
    self.name = name
    self.excludedTables = excludedTables
    self.keepsHistory = keepsHistory
  }

  /// Whether the name can be one in the folder; a failure says so if not.
  mutating func hasUsableName() -> Bool {
    let isUsable = CaptureError.isFileName(name)
    if !isUsable { result.failures.append(CaptureError.unusableName(name)) }
    return isUsable
  }

  /// Runs one part of the capture and keeps what it brought or why it failed.
  mutating func run(_ part: (CaptureAttempt) throws -> CapturedDatabase) {
    do {
      keep(try part(self))
    } catch {
      fail(error)
    }
  }

  mutating func keep(_ database: CapturedDatabase) {
    result.files.append(database)
  }

  mutating func fail(_ error: any Error) {
    result.failures.append(CaptureError(error))
  }

  /// A copy to be filled from the original.
  func makeCopy(of original: String, method: DatabaseCapture.Method) throws -> PrivateCopy {
    try PrivateCopy(
      of: original, in: folder, method: method,
      options: PrivateCopy.Options(
        image: image, limit: limits.databaseBytes, name: "\(name).sqlite",
        keepsHistory: keepsHistory && excludedTables.isEmpty))
  }

  /// Makes one verified file of a raw copy and puts it in its place.
  func finish(_ copy: PrivateCopy, as file: String) throws -> CapturedDatabase {
    try copy.complete()
    try copy.empty(excludedTables)
    try copy.verify()
    return captured(copy, as: file, bytes: try copy.publish(as: "\(folder)/\(file)"))
  }

  func captured(_ copy: PrivateCopy, as file: String, bytes: Int) -> CapturedDatabase {
    CapturedDatabase(
      file: file, bytes: bytes, capture: copy.capture, duration: (ContinuousClock.now - start) / .seconds(1))
  }
}

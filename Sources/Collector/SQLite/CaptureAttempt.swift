/// One capture under way: where its files go, until when it may wait, and what it has brought so far.
struct CaptureAttempt {
  let image: SQLiteImage
  let limits: CaptureLimits
  let deadline: ContinuousClock.Instant
  let folder: String
  let name: String
  let excludedTables: Set<String>
  private let start = ContinuousClock.now
  private(set) var result = DatabaseCaptureResult()

  init(
    image: SQLiteImage, limits: CaptureLimits, deadline: ContinuousClock.Instant, folder: String,
    name: String,
    excludedTables: Set<String> = []
  ) {
    self.image = image
    self.limits = limits
    self.deadline = deadline
    self.folder = folder
    self.name = name
    self.excludedTables = excludedTables
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
      result.files.append(try part(self))
    } catch {
      result.failures.append(CaptureError(error))
    }
  }

  /// Makes one verified file of a raw copy and puts it in its place.
  func finish(_ copy: consuming PrivateCopy, as file: String) throws -> CapturedDatabase {
    var copy = copy
    try copy.fold(image: image)
    try copy.empty(excludedTables, image: image)
    try copy.verify(image: image)
    let bytes = try copy.publish(as: "\(folder)/\(file)")
    return CapturedDatabase(
      file: file, bytes: bytes, capture: copy.capture, duration: (ContinuousClock.now - start) / .seconds(1))
  }
}

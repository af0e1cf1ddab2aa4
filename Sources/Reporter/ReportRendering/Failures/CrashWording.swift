import ReportModel

extension TestResult {
  private static let mostLastLines = 3
  private static let mostFrames = 6

  /// The functions on the crashed thread's stack, below what the process printed where no issue tells it.
  var crashLines: [String] {
    guard let crash else { return [] }
    let told: [String] =
      if issues.contains(where: \.isCrash) {
        []
      } else if let message = crash.message {
        [crash.place.map { "\($0.text): \(message)" } ?? message]
      } else {
        crash.lastLines.suffix(Self.mostLastLines)
      }
    return told + crash.frames.prefix(Self.mostFrames).map { "in \($0.function) at \($0.place.text)" }
  }
}

/// Tells how the body of a Swift Testing test ended, as far as a scope can know.
enum ScopeEnding {
  case returned
  /// Cancelled by `Test.cancel` or together with the whole run.
  case cancelled
  /// Cancelled though nobody cancelled the test; the time limit's issue comes after the scope.
  case timeLimit
  case failed(any Error)

  /// Classifies the end of a body.
  ///
  /// - Parameter hasTimeLimit: Called only when it matters, because it searches the traits.
  init(_ error: (any Error)?, isCancelled: Bool, hasTimeLimit: () -> Bool) {
    let isCancellation = error.map { $0 is CancellationError } ?? true
    switch (error, isCancelled) {
    case (nil, false): self = .returned
    case (_, true) where isCancellation && hasTimeLimit(): self = .timeLimit
    case (nil, true), (_?, true): self = .cancelled
    case (let error?, false): self = .failed(error)
    }
  }
}

enum ScopeEnding {
  case returned
  /// By `Test.cancel`, or with the whole run.
  case cancelled
  /// Nobody cancelled the test; the time limit's issue comes after the scope.
  case timeLimit
  case failed(any Error)

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

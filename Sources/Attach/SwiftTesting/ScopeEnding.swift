/// How the body of a Swift Testing test ended, as far as a scope can tell.
enum ScopeEnding {
  case returned
  /// By `Test.cancel`, or because the whole run was cancelled.
  case cancelled
  /// The body was cancelled although nobody cancelled the test; the time limit's issue comes after the scope.
  case timeLimit
  case failed(any Error)

  /// - Parameter hasTimeLimit: Asked only when it matters: the answer is searched for among the traits.
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

/// Lets so many things be done at once, and the others after them, in the order in which they were asked for.
package actor Turns {
  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  package init(atOnce count: Int = 1) { free = count }

  /// Does something when it is its turn.
  package func next<Result: Sendable>(_ body: @escaping @Sendable () async throws -> Result) async throws
    -> Result
  {
    await begin()
    defer { end() }
    return try await body()
  }

  private func begin() async {
    if free > 0 {
      free -= 1
    } else {
      await withCheckedContinuation { waiting.append($0) }
    }
  }

  /// Who waits longest has the turn at once, so that nobody comes between.
  private func end() {
    if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
  }
}

/// Lets one thing be done after the other, in the order in which they were asked for.
package actor Turns {
  package init() {}

  private var last: Task<Void, Never>?

  /// Does something when all before it is done.
  package func next<Result: Sendable>(_ body: @escaping @Sendable () async throws -> Result) async throws
    -> Result
  {
    let task = Task { [last] in
      await last?.value
      return try await body()
    }
    // Its error is its caller's.
    last = Task { _ = await task.result }
    return try await task.value
  }
}

import ExhibitStart
import Glibc
import Testing

/// Runs the tests of Swift Testing in this process and hears what it says of them; called by ExhibitStart in the place
/// of `Testing.__swiftPMEntryPoint(passing:)`, which the generated main function calls without arguments.
///
/// What that does is done here: https://github.com/swiftlang/swift-testing, `SwiftPMEntryPoint.swift`.
@_silgen_name("exhibit_run_tests") func runTests(passing arguments: UnsafeRawPointer?) async -> Never {
  exhibit_buffer_lines()
  let run = unsafeBitCast(swt_abiv0_getEntryPoint(), to: EntryPoint.self)
  let listener = Recorder.process.map { EventListener(recorder: $0) }
  let hasSucceeded: Bool
  do {
    hasSucceeded = try await run(nil) { listener?.hear($0) }
  } catch {
    // Without a configuration of ours there is nothing that it could refuse.
    hasSucceeded = false
  }
  let hasTests = Recorder.process?.functions.isHeard ?? true
  exit(!hasSucceeded ? EXIT_FAILURE : hasTests ? EXIT_SUCCESS : noTestsFound)
}

/// Swift Testing's documented way to run tests from a tool, `ABI.v0.EntryPoint`.
private typealias EntryPoint =
  @convention(thin) @Sendable (
    _ configuration: UnsafeRawBufferPointer?,
    _ handler: @escaping @Sendable (_ record: UnsafeRawBufferPointer) -> Void
  ) async throws -> Bool

/// What `swift test` takes for "no matching tests": `EX_UNAVAILABLE`.
private let noTestsFound: Int32 = 69

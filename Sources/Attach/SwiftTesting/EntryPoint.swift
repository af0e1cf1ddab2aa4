import ExhibitStart
import Glibc

/// Runs the tests of Swift Testing in this process and hears its events.
///
/// ExhibitStart calls it in place of `Testing.__swiftPMEntryPoint(passing:)`, which the generated main function calls
/// without arguments. It does the same as that: https://github.com/swiftlang/swift-testing,
/// `SwiftPMEntryPoint.swift`.
@_silgen_name("exhibit_run_tests") func runTests(passing arguments: UnsafeRawPointer?) async -> Never {
  exhibit_buffer_lines()
  let run = unsafeBitCast(swt_abiv0_getEntryPoint(), to: EntryPoint.self)
  let listener = Recorder.process.map { EventListener(recorder: $0) }
  let hasSucceeded: Bool
  do {
    hasSucceeded = try await run(nil) { listener?.hear($0) }
  } catch {
    // Without a configuration there is nothing that it could refuse.
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

/// The exit code that `swift test` reads as "no matching tests": `EX_UNAVAILABLE`.
private let noTestsFound: Int32 = 69

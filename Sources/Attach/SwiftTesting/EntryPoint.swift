import ExhibitStart
import Glibc

/// Runs the tests of Swift Testing and hears their events.
///
/// ExhibitStart calls it for `Testing.__swiftPMEntryPoint(passing:)`, and it does the same:
/// https://github.com/swiftlang/swift-testing, `SwiftPMEntryPoint.swift`.
@_silgen_name("exhibit_run_tests") func runTests(passing arguments: UnsafeRawPointer?) async -> Never {
  exhibit_buffer_lines()
  let run = unsafeBitCast(exhibit_tests_entry_point(), to: EntryPoint.self)
  let listener = Recorder.process.map { EventListener(recorder: $0) }
  let hasSucceeded: Bool
  do {
    hasSucceeded = try await run(nil) { listener?.hear($0) }
  } catch {
    hasSucceeded = false
  }
  let hasTests = Recorder.process?.functions.isHeard ?? true
  exit(!hasSucceeded ? EXIT_FAILURE : hasTests ? EXIT_SUCCESS : noTestsFound)
}

/// Swift Testing's documented way to run tests from a tool: `ABI.v0.EntryPoint`.
private typealias EntryPoint =
  @convention(thin) @Sendable (
    _ configuration: UnsafeRawBufferPointer?,
    _ handler: @escaping @Sendable (_ record: UnsafeRawBufferPointer) -> Void
  ) async throws -> Bool

/// `EX_UNAVAILABLE`, which `swift test` reads as "no matching tests".
private let noTestsFound: Int32 = 69

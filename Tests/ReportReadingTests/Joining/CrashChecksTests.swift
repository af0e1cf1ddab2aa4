import Collector
import Foundation
import Testing

@testable import ReportModel
@testable import ReportReading
@testable import ReportTestSupport

/// What a crash explains whose test is known, and what it does not.
@Suite struct CrashChecksTests {
  private static let death = "error: Process '/p/Tests.xctest' exited with unexpected signal code 4\n"

  /// A run whose event stream stops while one test runs, with what `swift test` printed.
  private func run(printing output: String, status: Int32? = nil, xunit: [String] = []) -> RunInputs {
    let stream =
      #"{"kind":"event","payload":{"kind":"testStarted","testID":"M.crashes()/A.swift:1:1"},"version":"6.3.0"}"#
      + "\n"
    var run = RunInputs(RunID(name: "r"))
    run.add(EventStreamInput.read(Fixture.text(stream), attachments: []), of: "")
    for name in xunit {
      let file = LoadedFile(name: name, path: "/" + name, bytes: Data("<testsuites><testsuite>".utf8))
      run.add(XUnitInput.read(file), of: "")
    }
    run.outputs = [SwiftTestOutput(Fixture.text(output))]
    if let status {
      var invocation = SwiftTestInvocation(arguments: [], attachments: "")
      invocation.status = status
      run.invocations = [invocation]
    }
    run.decideCrashes()
    return run
  }

  private func faults(_ run: RunInputs) -> [String] {
    (run.inputs.flatMap(\.remarks.faults) + RunChecks.check([run], []).faults).map(\.kind).sorted()
  }

  @Test func aKnownCrashExplainsTheStreamAndTheFileOfItsProcess() {
    let run = run(
      printing: Self.death, status: 1, xunit: ["r/inputs/xunit-swift-testing.xml", "r/inputs/xunit.xml"])
    #expect(run.inputs[0].observations.map(\.outcome) == [.crashed])
    // XCTest's file is another process's.
    #expect(faults(run) == ["truncatedXML"])
    #expect(run.inputs.flatMap(\.remarks.notices).map(\.kind) == ["eventStreamEndedEarly", "truncatedXML"])
    #expect(run.crashes.map(\.name) == ["crashes()"])
  }

  @Test func aSecondDeathThatNothingExplainsIsAFault() {
    let run = run(printing: Self.death + Self.death, status: 1)
    #expect(faults(run) == ["eventStreamEndedEarly", "processDied"])
    #expect(run.crashes.isEmpty)
  }

  @Test func aStreamThatIsCutOffInARunThatSucceededIsAFault() {
    #expect(faults(run(printing: "", status: 0)) == ["eventStreamEndedEarly"])
    #expect(faults(run(printing: "", status: 1)).isEmpty)
  }
}

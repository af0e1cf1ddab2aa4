import Collector
import Foundation
import XCTest

final class XCTestRecorder: NSObject, XCTestObservation, Sendable {
  private let recorder: Recorder

  init(recorder: Recorder) {
    self.recorder = recorder
  }

  func testCaseWillStart(_ testCase: XCTestCase) {
    let scope = recorder.begin(TestCaseID(testCase), start: TestStart(framework: .xctest))
    TestScope.setXCTest(scope)
  }

  func testCase(
    _ testCase: XCTestCase, didFailWithDescription description: String, inFile file: String?,
    atLine line: Int
  ) {
    guard let scope = TestScope.xctest else { return }
    // A thrown error has file "<EXPR>" and line 0; the body's locals are gone.
    let isThrown = line <= 0
    let issue = RecordedIssue(
      message: description, file: isThrown ? nil : file, line: isThrown ? nil : line)
    EvidenceRequests(to: recorder).fail(scope, with: issue, afterBody: isThrown)
  }

  func testCaseDidFinish(_ testCase: XCTestCase) {
    guard let scope = TestScope.setXCTest(nil) else { return }
    let duration = testCase.testRun.map { ($0.totalDuration * 1e6).rounded() / 1e6 }
    recorder.finish(scope, outcome: testCase.outcome, duration: duration)
  }
}

extension XCTestCase {
  /// A `setUp` that throws both fails and skips: failure comes first.
  fileprivate var outcome: TestEnd.Outcome {
    guard let testRun else { return .passed }
    if testRun.totalFailureCount > 0 { return .failed }
    return testRun.hasBeenSkipped ? .skipped : .passed
  }
}

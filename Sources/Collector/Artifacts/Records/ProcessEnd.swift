/// The process ended in order.
///
/// It is the last line of a log; a log without it belongs to a process that died.
package struct ProcessEnd: LogPayload {
  package static let kind = "processFinished"

  /// Test cases that were started and that failed in this process.
  package var tests: Int
  package var failed: Int

  package init(tests: Int, failed: Int) {
    self.tests = tests
    self.failed = failed
  }

  package func write(to text: inout JSONText) {
    text.member("tests", tests)
    text.member("failed", failed)
  }
}

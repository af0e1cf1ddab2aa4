/// The last line of a log, missing when the process died.
package struct ProcessEnd: LogPayload {
  package static let kind = "processFinished"

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

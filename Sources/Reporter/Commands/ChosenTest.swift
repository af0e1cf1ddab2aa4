import Collector
import ReportModel
import ReportPipeline
import ReportRendering

/// Finds the test that a user names, or prints the possible names.
///
/// - Throws: The exit code when none or several match.
func chosenTest<Test>(_ name: String, among tests: [Test], _ names: (Test) -> TestNames) throws -> Test {
  let told: [TestNames]
  switch calledTest(name, among: tests, names) {
  case .one(let test): return test
  case .several(let found):
    Reporting.complain("\(counted(found.count, "test")) have \(name) in their name; name one of them:")
    told = found
  case .none:
    Reporting.complain("No test is called \(name).")
    told = tests.map(names).filter { $0.knownOutcome?.isFailure == true }
    if !told.isEmpty { Reporting.complain("Failed tests:") }
  }
  let most = 50
  for test in told.prefix(most) {
    Reporting.complain("  \(test.knownOutcome.map { $0.symbol + " " } ?? "")\(test.id)")
  }
  if told.count > most { Reporting.complain("  … and \(grouped(told.count - most)) more") }
  throw ReporterExit.usage
}

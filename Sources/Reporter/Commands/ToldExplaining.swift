import Collector
import ReportExperiments
import ReportModel
import ReportPipeline
import ReportReading
import Synchronization

/// Prints how experiments go: on a terminal one changing line for each test, then its end.
final class ToldExplaining: Sendable {
  private let line = Mutex<ProgressLine?>(nil)

  @Sendable func note(_ event: Explaining.Event) {
    switch event {
    case .reading(let test):
      finish()
      let line = ProgressLine.onStandardError()
      line?.say("\(test): reading")
      self.line.withLock { $0 = line }
    case .tried(let test, let progress):
      let line = self.line.withLock { $0 }
      let found = progress.found.map { "; \($0) it passes" } ?? ""
      line?.say("\(test): \(progress.tried) of \(progress.planned) changes\(found)")
      if let words = progress.found, line == nil { Reporting.complain("\(test): \(words) it passes.") }
    case .ended(let test):
      finish()
      Self.tell(test)
    case .problem(let sentence):
      finish()
      Reporting.complain(sentence)
    }
  }

  private func finish() { line.withLock { $0?.finish() } }

  private static func tell(_ test: ExplainedTest) {
    switch test.control {
    case .refused(let reason): Reporting.complain("\(test.test): no experiment was made: \(reason)")
    case .differs(let sentence): Reporting.complain("\(test.test): \(sentence)")
    case .fails:
      let tried = "\(counted(test.tried, "change")) of \(counted(test.statements, "statement"))"
      let seconds = Int(test.seconds.rounded())
      guard let first = test.proven.first else {
        return Reporting.complain("\(test.test): it passes with none of \(tried) (\(seconds) s).")
      }
      Reporting.complain("\(test.test): \(first.words) it passes (\(tried), \(seconds) s).")
    }
  }
}

import Collector
import ReportInspection
import ReportModel
import ReportStory

/// The transactions of a WAL as lines of text, of which alike ones that follow each other are folded.
///
/// - Parameters:
///   - history: What `readWALHistory` told.
///   - name: As a reader calls the database.
///   - most: Transactions that are shown with their rows, the most telling and the last ones.
func printedWAL(_ history: WALHistory, name: String, most: Int = 300) -> [TerminalLine] {
  guard !history.transactions.isEmpty else { return history.problems.map { TerminalLine("! " + $0, .odd) } }
  var made = WALStory([.init(name: name, evidence: name, history: history)], schemas: [])
  let story = made.story(issues: [])
  // One transaction tells it by itself.
  var lines = history.count > 1 ? [TerminalLine("In all: \(story.changeText)")] : []
  lines += story.notices.map { TerminalLine("! " + $0, .odd) }
  let test = TestResult(id: TestCaseID(module: "", suite: [], name: name), outcome: .passed)
  let steps = PrintedStory(story, of: test).steps(bytes: .max, most: most, isHeaded: false) { count in
    "\(counted(count, "transaction")) left out: --transactions COUNT tells more"
  }
  return lines + steps
}

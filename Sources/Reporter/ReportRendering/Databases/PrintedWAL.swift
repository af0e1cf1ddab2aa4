import Collector
import ReportInspection
import ReportModel
import ReportStory

/// The transactions of a WAL as lines of text, of which alike ones that follow each other are folded.
///
/// - Parameters:
///   - history: The result of `readWALHistory`.
///   - name: As a reader calls the database.
///   - reading: What explains its values.
///   - most: Transactions that are shown with their rows, the most telling and the last ones.
func printedWAL(_ history: WALHistory, name: String, _ reading: ValueReading? = nil, most: Int = 300)
  -> [TerminalLine]
{
  guard !history.transactions.isEmpty else { return history.problems.map { TerminalLine("! " + $0, .odd) } }
  var told = Story(history, of: name)
  for index in told.databases.indices { told.databases[index].reading = reading }
  let changes = told.changes.sentence.isEmpty ? "No row was changed." : told.changes.sentence
  // One transaction tells it by itself.
  var lines = history.count > 1 ? [TerminalLine("In all: \(changes)")] : []
  lines += told.notices.map { TerminalLine("! " + $0, .odd) }
  let test = TestResult(id: TestCaseID(module: "", suite: [], name: name), outcome: .passed)
  return lines
    + PrintedStory(told, of: test).steps(bytes: .max, most: most) { count in
      "\(counted(count, "transaction")) left out: --transactions COUNT tells more"
    }
}

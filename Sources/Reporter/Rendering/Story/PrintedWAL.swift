import Collector

/// The transactions of a WAL as lines of text, of which alike ones that follow each other are folded.
///
/// - Parameters:
///   - history: What `readWALHistory` told.
///   - name: As a reader calls the database.
///   - most: Transactions that are shown with their rows, the most telling and the last ones.
func printedWAL(_ history: WALHistory, name: String, most: Int = 300) -> [StoryLine] {
  guard !history.transactions.isEmpty else { return history.problems.map { StoryLine("! " + $0, .odd) } }
  var made = WALStory([.init(name: name, evidence: name, history: history)], schemas: [])
  let story = made.story(issues: [])
  let pages = history.transactions.reduce(0) { $0 + $1.pages }
  var lines = [
    StoryLine(
      "\(counted(history.count, "committed transaction")) in the WAL, \(counted(pages, "page")) written",
      .strong)
  ]
  lines.append(StoryLine("In all: \(story.changeText)"))
  lines += story.notices.map { StoryLine("! " + $0, .odd) }
  let test = TestResult(id: TestCaseID(module: "", suite: [], name: name), outcome: .passed)
  return lines + PrintedStory(story, of: test).steps(bytes: .max, most: most)
}

import Foundation

/// A job of a template, run in the Examples package as its service would run it; only what uploads is ours.
struct CIJobRun {
  /// What each step returned, by its name.
  private(set) var statuses: [String: Int32] = [:]
  /// The paths that were to be uploaded.
  private(set) var uploads: [String] = []
  let folder = ThisPackage.file("Examples")
  private let adding: Bool
  /// What GitHub shows on the job's page: the summaries of its steps, one behind the other.
  private(set) var summary = ""

  /// - Parameter before: Called before a step, with its name.
  ///
  /// - Parameter adding: Whether it is on the default branch, which adds to the history.
  init(_ steps: [CIStep], adding: Bool = false, before: (String) throws -> Void = { _ in }) throws {
    self.adding = adding
    for name in ["test-results", "test-artifacts/report", "test-history"] {
      let path = folder.appendingPathComponent(name)
      if FileManager.default.fileExists(atPath: path.path) { try FileManager.default.removeItem(at: path) }
    }
    for step in steps where step.isUnconditional || !hasFailed {
      try before(step.name)
      if let upload = step.upload { uploads.append(upload) }
      guard let script = step.script else { continue }
      try run(script, of: step)
    }
  }

  /// Runs a step with a summary of its own, as GitHub does.
  private mutating func run(_ script: String, of step: CIStep) throws {
    let streams = try TemporaryFolder()
    let summaryFile = try streams.write("", to: "summary.md")
    statuses[step.name] = try status(of: script, summaryFile: summaryFile)
    summary += try streams.read("summary.md")
  }

  /// Whether the service would call the job failed.
  var hasFailed: Bool { statuses.values.contains { $0 != 0 } }

  private func status(of script: String, summaryFile: String) throws -> Int32 {
    let own = ["GITHUB_STEP_SUMMARY": summaryFile, "HISTORY_ACCESS": adding ? "add" : "read"]
    let variables = environment.merging(own) { _, new in new }
    return try Command(["sh", "-e", "-c", script], in: folder.path, environment: variables).run().status
  }

  /// Nothing of this test run reaches the one that is started.
  private var environment: [String: String] {
    let foreign = ["EXHIBIT_ARTIFACTS", "EXHIBIT_RUN", "EXHIBIT_CAPTURE"]
    return ProcessInfo.processInfo.environment.filter { key, _ in
      !foreign.contains(key) && !key.hasPrefix("SWT_")
    }
  }
}

// MARK: - The report that was made

extension CIJobRun {
  func report() throws -> ReportJSON {
    try ReportJSON(in: folder.appendingPathComponent("test-artifacts/report").path)
  }

  /// The tests of Examples that fail on purpose.
  func failingTests() throws -> Set<String> {
    let file = folder.appendingPathComponent("failing-tests.txt")
    return Set(try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init))
  }
}

extension ReportJSON {
  /// The failed tests, without their arguments.
  var failed: Set<String> {
    Set(
      document.tests.filter { $0.outcome == "failed" }.map { String($0.id.prefix { $0 != "(" && $0 != " " }) }
    )
  }
}

package import Collector
import ExhibitSystem
package import ReportModel

/// A run's folder `compared`: the same tests, run with another commit's code.
package struct ComparedRun: Sendable {
  package let path: String
  private let name: String

  package init(of run: RunFolder) {
    path = run.path + "/compared"
    name = run.name + "/compared"
  }

  package var commitName: String { "\(name)/\(Self.commitName)" }

  package var artifacts: ArtifactsFolder { ArtifactsFolder(path: path) }

  private struct Told: Codable {
    var format: String
    var remarks: [String]
    /// How each test ended there; missing in older runs.
    var tests: [Ended]?
  }

  private struct Ended: Codable {
    var test: String
    /// Newer versions may have others.
    var outcome: String
  }

  /// Limits on a hostile `commit.json`.
  private static let (mostChanges, lines) = (10_000, 0...(1 << 24))
  private static let commitName = "commit.json"
  private static let remarksName = "compared.json"

  // MARK: - Writing

  package func write(_ commit: ComparedCommit) throws { try write(commit, Self.commitName) }

  /// - Parameter outcomes: How the tests ended with the other commit's code.
  package func write(remarks: [String], outcomes: [TestCaseID: Outcome]) throws {
    let tests = outcomes.sorted { $0.key < $1.key }.map {
      Ended(test: $0.key.description, outcome: $0.value.rawValue)
    }
    try write(Told(format: ArtifactsFormat.current, remarks: remarks, tests: tests), Self.remarksName)
  }

  private func write(_ value: some Encodable, _ name: String) throws {
    try FileSystem.createFolder(path)
    let file = "\(path)/\(name)"
    try FileSystem.remove(file)
    try FileSystem.writeNewFile(file, try jsonDocument(value))
  }

  // MARK: - Reading

  package func commit(_ remarks: inout Remarks) -> ComparedCommit? {
    guard var commit = read(ComparedCommit.self, Self.commitName, &remarks) else { return nil }
    commit.changes = commit.changes.prefix(Self.mostChanges).filter { change in
      [change.oldStart, change.oldCount, change.newStart, change.newCount].allSatisfy(Self.lines.contains)
    }
    return commit
  }

  /// How tests ended with the other commit's code, by their names.
  package func outcomes(_ remarks: inout Remarks) -> [String: Outcome] {
    guard let told = read(Told.self, Self.remarksName, of: "How tests ended with other code", &remarks) else {
      return [:]
    }
    for sentence in told.remarks { remarks.notice(.notCompared, sentence) }
    let ended = (told.tests ?? []).compactMap { ended in
      Outcome(rawValue: ended.outcome).map { (ended.test, $0) }
    }
    return Dictionary(ended, uniquingKeysWith: OutcomeTable.worse)
  }

  package func runs(_ remarks: inout Remarks) -> [RunFolder] {
    do throws(ContainedFile.OpeningError) {
      let names = try ContainedFile.entries(of: ContainedPath(folder: path, path: "runs"))
      return names.sorted().map { RunFolder(path: "\(artifacts.runsFolder)/\($0)") }
    } catch .missing {
      return []
    } catch {
      remarks.fault(
        .unreadableInput, "With what the run is compared is not known: its runs cannot be listed.",
        input: "\(name)/runs")
      return []
    }
  }

  private func read<Value: Decodable>(
    _ type: Value.Type, _ file: String, of subject: String = "With what the run is compared",
    _ remarks: inout Remarks
  ) -> Value? {
    LoadedFile.value(
      type, file, of: (path, name), otherwise: "\(subject) is not known: the file cannot be read.", &remarks)
  }
}

package import Collector
import ExhibitSystem
package import ReportModel

/// The folder `compared` of a run: the same tests with the code of another commit.
package struct ComparedRun: Sendable {
  /// An absolute path.
  package let path: String
  private let name: String

  package init(of run: RunFolder) {
    path = run.path + "/compared"
    name = run.name + "/compared"
  }

  /// The artifacts folder of the tests that ran there.
  package var artifacts: ArtifactsFolder { ArtifactsFolder(path: path) }

  /// `compared.json`: what is known of the comparison beside the commit.
  private struct Told: Codable {
    var format: String
    var remarks: [String]
  }

  /// Hunks that are read, and the numbers that lines of a file have.
  private static let (mostChanges, lines) = (10_000, 0...(1 << 24))
  private static let commitName = "commit.json"
  private static let remarksName = "compared.json"

  // MARK: - Writing

  package func write(_ commit: ComparedCommit) throws { try write(commit, Self.commitName) }

  /// Writes what went wrong or differs from what a user may expect, each in one sentence.
  package func write(remarks: [String]) throws {
    try write(Told(format: ArtifactsFormat.current, remarks: remarks), Self.remarksName)
  }

  private func write(_ value: some Encodable, _ name: String) throws {
    try FileSystem.createFolder(path)
    let file = "\(path)/\(name)"
    // A run that goes on compares anew.
    try FileSystem.remove(file)
    try FileSystem.writeNewFile(file, try jsonDocument(value))
  }

  // MARK: - Reading

  /// The commit; `nil` where none is told, or it cannot be read, which is a fault.
  package func commit(_ remarks: inout Remarks) -> ComparedCommit? {
    guard var commit = read(ComparedCommit.self, Self.commitName, &remarks) else { return nil }
    commit.changes = commit.changes.prefix(Self.mostChanges).filter { change in
      [change.oldStart, change.oldCount, change.newStart, change.newCount].allSatisfy(Self.lines.contains)
    }
    return commit
  }

  /// Passes on what `reporter test` said of the comparison.
  package func tell(_ remarks: inout Remarks) {
    guard let told = read(Told.self, Self.remarksName, &remarks) else { return }
    for sentence in told.remarks { remarks.notice(.notCompared, sentence) }
  }

  /// The folders of the runs in it, in the order of their names; a folder that cannot be read is a fault.
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
    _ type: Value.Type, _ file: String, _ remarks: inout Remarks
  ) -> Value? {
    LoadedFile.value(
      type, file, of: (path, name),
      otherwise: "With what the run is compared is not known: the file cannot be read.", &remarks)
  }
}

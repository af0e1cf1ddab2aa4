import ReportModel
import Testing

@testable import ReportPipeline
@testable import ReportTestSupport

/// What changed between the commit of a pass that the history keeps and the code that failed, in real repositories.
@Suite struct ChangesSincePassTests {
  private let compared: ComparedPackage

  init() throws { compared = try ComparedPackage() }

  private func changed(commit: String?, isDirty: Bool?) -> ChangesSincePass? {
    ChangesSincePass(
      of: Report.Run(name: "r", commit: commit, isDirty: isDirty), in: compared.folder.path + "/package",
      environment: Command.isolatedEnvironment)
  }

  private func hash(_ name: String) throws -> String { try compared.git("rev-parse", name) }

  @Test func changesThatAreNotCommittedCount() throws {
    var changed = try #require(changed(commit: try hash("HEAD"), isDirty: true))
    let hunks = changed.changes(since: try hash("HEAD~1"))
    #expect(hunks.map(\.lines) == [[" one", "-two", "+2", " three"], [" three", "+four"]])
    #expect(hunks.map(\.lastCommit?.subject) == ["Second", nil] && changed.problem == nil)
  }

  /// The files may have been changed since the run.
  @Test func ofARunOfACommitOnlyThatOneIsCompared() throws {
    var changed = try #require(changed(commit: try hash("HEAD"), isDirty: false))
    let hunks = changed.changes(since: try hash("HEAD~1"))
    #expect(hunks.map(\.lines) == [[" one", "-two", "+2", " three"]])
    #expect(hunks.map(\.lastCommit?.subject) == ["Second"])
  }

  @Test func whatIsNotKnownIsNotGuessed() throws {
    #expect(changed(commit: nil, isDirty: true) == nil)
    #expect(changed(commit: "--output=/tmp/exhibit-overwritten", isDirty: false) == nil)
    #expect(changed(commit: try hash("HEAD"), isDirty: nil) == nil)
    #expect(changed(commit: try hash("HEAD~1"), isDirty: true) == nil, "other files are checked out")
  }

  @Test func aCommitThatIsNotThereIsSaidOnce() throws {
    var changed = try #require(changed(commit: try hash("HEAD"), isDirty: true))
    let absent = String(repeating: "a", count: 40)
    #expect(changed.changes(since: absent).isEmpty && changed.changes(since: absent).isEmpty)
    #expect(changed.problem?.hasPrefix("What has changed since aaaaaaa is not known: ") == true)
  }
}

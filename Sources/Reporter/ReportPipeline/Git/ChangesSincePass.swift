import Collector
import ReportModel

/// What changed in a run's code since commits whose passes a history keeps.
struct ChangesSincePass {
  private let package: GitPackage
  /// The run's commit; `nil` for the working tree, where files had changed.
  private let commit: String?
  private var known: [String: [ChangedLines]] = [:]
  private(set) var problem: String?

  /// Failed tests mostly passed at the same commit.
  private static let mostCommits = 5
  private static let mostNamed = 20

  /// - Returns: `nil` where the run's code is unknown, or not checked out any more.
  init?(of run: Report.Run, in folder: String, environment: [String: String]) {
    // Git could take other text for an option.
    guard let commit = run.commit, commit.isCommitHash, let isDirty = run.isDirty,
      !isDirty || Checkout.commit(at: folder) == commit
    else { return nil }
    do throws(Git.Problem) {
      package = try GitPackage(folder: folder, environment: environment)
    } catch {
      return nil
    }
    self.commit = isDirty ? nil : commit
  }

  /// - Parameter hash: All of its digits.
  mutating func changes(since hash: String) -> [ChangedLines] {
    if let known = known[hash] { return known }
    guard known.count < Self.mostCommits else { return [] }
    known[hash] = []
    do throws(Git.Problem) {
      known[hash] = try package.changes(since: hash, until: commit, mostNamed: Self.mostNamed).hunks
    } catch {
      problem = problem ?? "\(error)"
    }
    return known[hash] ?? []
  }
}

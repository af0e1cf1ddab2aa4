import Collector
import ReportModel

/// What changed in a run's code since commits of which a history keeps passes.
struct ChangesSincePass {
  private let package: GitPackage
  /// The run's commit; `nil` where files had changed, which the working tree has.
  private let commit: String?
  private var known: [String: [ChangedLines]] = [:]
  /// Why something is not known, in a sentence.
  private(set) var problem: String?

  /// Failed tests mostly passed at the same commit.
  private static let mostCommits = 5
  /// Hunks that get the commit that changed them.
  private static let mostNamed = 20

  /// - Returns: `nil` where the run's code is not known, or not checked out any more.
  init?(of run: Report.Run, in folder: String, environment: [String: String]) {
    // Git would take anything else for an option.
    guard let commit = run.commit, commit.isCommitHash, let isDirty = run.isDirty,
      !isDirty || Checkout.commit(at: folder) == commit
    else { return nil }
    do throws(Git.Problem) {
      package = try GitPackage(folder: folder, environment: environment)
    } catch {
      // Where git reads no repository, the places lead nowhere either.
      return nil
    }
    self.commit = isDirty ? nil : commit
  }

  /// - Parameter hash: Full.
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

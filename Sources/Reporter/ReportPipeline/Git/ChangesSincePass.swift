import Collector
import ReportModel

/// What changed in the code that a run tested since commits of which a history keeps passes.
struct ChangesSincePass {
  private let package: GitPackage
  /// The commit of the run, where its files were that commit's; `nil` where they had changed, and the working tree has them.
  private let commit: String?
  private var known: [String: [ChangedLines]] = [:]
  /// The first reason why something is not known: a sentence.
  private(set) var problem: String?

  /// Commits that git is asked about: failed tests mostly passed at the same one.
  private static let mostCommits = 5
  /// Hunks of each that get the commit that changed them.
  private static let mostNamed = 20

  /// - Returns: `nil` where nobody knows which code the run tested, or it is not checked out any more.
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

  /// - Parameter hash: The full hash of the pass's commit, of which it may have had other changes.
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

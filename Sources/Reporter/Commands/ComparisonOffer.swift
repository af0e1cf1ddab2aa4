import Collector
import ExhibitSystem
import ReportModel

/// The commit with which failed tests are worth comparing that nothing is compared with.
enum ComparisonOffer {
  /// What `--compare-with` would take: `HEAD` where files have changed, else the main branch or the commit before.
  ///
  /// - Returns: `nil` where nobody knows which code a run tested, or it is not checked out any more.
  static func name(for run: Report.Run, in folder: String, environment: [String: String]) -> String? {
    guard let commit = run.commit, let isDirty = run.isDirty, Checkout.commit(at: folder) == commit else {
      return nil
    }
    if isDirty { return "HEAD" }
    let git = Git(folder: folder, environment: environment)
    func hash(_ name: String) -> String? {
      // An offer that cannot be made is none.
      guard let answer = try? git.run("rev-parse", "--verify", "--quiet", name + "^{commit}"),
        answer.status == 0
      else { return nil }
      return answer.text
    }
    for name in [mainBranch(git), "main", "master"].compactMap(\.self) {
      if let found = hash(name) ?? hash("refs/remotes/origin/" + name) {
        if found != commit { return name }
        break
      }
    }
    return hash("HEAD~1") == nil ? nil : "HEAD~1"
  }

  /// The branch that the remote calls its own.
  private static func mainBranch(_ git: Git) -> String? {
    let opening = "refs/remotes/origin/"
    guard let answer = try? git.run("symbolic-ref", "--quiet", opening + "HEAD"), answer.status == 0,
      answer.text.hasPrefix(opening)
    else { return nil }
    let name = String(answer.text.dropFirst(opening.count))
    return name.hasPrefix("-") || name.contains(where: \.isWhitespace) ? nil : name
  }
}

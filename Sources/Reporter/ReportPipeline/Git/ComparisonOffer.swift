import Collector
import ReportModel

/// Names a commit that is worth comparing failed tests with.
enum ComparisonOffer {
  /// A name for `--compare-with`: `HEAD` where files have changed, else the main branch or the commit before.
  ///
  /// - Returns: `nil` where the tested code is unknown or not checked out any more.
  static func name(for run: Report.Run, in folder: String, environment: [String: String]) -> String? {
    guard let commit = run.commit, let isDirty = run.isDirty, Checkout.commit(at: folder) == commit else {
      return nil
    }
    if isDirty { return "HEAD" }
    do throws(Git.Problem) {
      let package = try GitPackage(folder: folder, environment: environment)
      for name in [try mainBranch(package.git), "main", "master"].compactMap(\.self) {
        guard let found = try package.hash(of: name) else { continue }
        if found != commit { return name }
        break
      }
      return try package.hash(of: "HEAD~1").map { _ in "HEAD~1" }
    } catch {
      return nil
    }
  }

  private static func mainBranch(_ git: Git) throws(Git.Problem) -> String? {
    let opening = "refs/remotes/origin/"
    let answer = try git.run("symbolic-ref", "--quiet", opening + "HEAD")
    guard answer.status == 0, answer.text.hasPrefix(opening) else { return nil }
    let name = String(answer.text.dropFirst(opening.count))
    return name.hasPrefix("-") || name.contains(where: \.isWhitespace) ? nil : name
  }
}

import Foundation

/// The git checkout around a folder, as git sees it.
struct WorkingTree {
  var folder: String
  var environment = ProcessInfo.processInfo.environment

  /// Whether files that git tracks have changed; `nil` where git does not say.
  var isDirty: Bool? {
    // Without git nothing is known.
    let answer = try? Git(folder: folder, environment: environment).run(
      "status", "--porcelain", "--untracked-files=no")
    guard let answer, answer.status == 0 else { return nil }
    return !answer.output.isEmpty
  }
}

import ReportModel
import ReportStory

/// Sentences on the differences before and after the leading one.
enum DifferenceSurroundings {
  private static let mostFollowers = 3

  static func words(
    of first: FirstDifference?, in stories: ComparedStories, _ followers: [PassComparison.Followers]
  ) -> Explanation.Words {
    guard let first else { return "" }
    return "\(words(of: stories.entries[..<first.index].filter { !$0.isAlike }))\(words(behind: followers))"
  }

  /// Differences before it, which may not reach the failure.
  private static func words(of earlier: [ComparedStories.Entry]) -> Explanation.Words {
    guard let first = earlier.first(where: { $0.step?.isRead == false }) ?? earlier.first else { return "" }
    let count = earlier.count
    var sentence: Explanation.Words =
      " \(counted(count, "difference")) come\(count == 1 ? "s" : "") before it, "
    sentence += "\(count == 1 ? "" : "such as ")"
    sentence += first.failed.map { "at \(step: $0.number)" } ?? "a step that did not run"
    sentence += "\(" in ", place: first.step?.place); \(count == 1 ? "it" : "none") is"
    return "\(sentence)\(count == 1 ? " not" : "") known to reach the failure."
  }

  private static func words(behind followers: [PassComparison.Followers]) -> Explanation.Words {
    let count = followers.reduce(0) { $0 + $1.count }
    guard count > 0 else { return "" }
    var sentence: Explanation.Words =
      " \(counted(count, "more difference")) follow\(count == 1 ? "s" : "")"
    let placed = followers.filter { $0.place != nil }.prefix(mostFollowers)
    for (index, follower) in placed.enumerated() {
      sentence += "\(index == 0 ? ": " : ", ", place: follower.place)"
      if follower.count > 1 { sentence += " (\(String(follower.count)))" }
    }
    if followers.count > placed.count, !placed.isEmpty { sentence += " and other lines" }
    return "\(sentence)."
  }
}

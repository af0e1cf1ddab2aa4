/// What the summary is told beside the report: where it will be read, and what to compare with.
struct SummaryOptions: Sendable, Equatable {
  /// The most bytes, at most 1 MiB: GitHub drops a step summary that is larger as a whole.
  var limit = 1 << 20
  /// Where the sources can be linked to.
  var repository: Repository?
  /// Where the report will be found, without a slash at its end.
  var reportURL: String?
  /// An earlier report.
  var baseline: Baseline?
}

/// The page of a repository and the commit that was tested.
struct Repository: Sendable, Equatable {
  /// `https://…`, without a slash or `.git` at its end.
  var url: String
  var commit: String?

  /// Takes `https://…`, `git@host:owner/name.git`, or `owner/name`, which is on GitHub.
  ///
  /// `nil` for anything else: a link is made of it.
  init?(_ text: String, commit: String?) {
    var text = text
    while text.hasSuffix("/") { text.removeLast() }
    if text.hasSuffix(".git") { text.removeLast(4) }
    if text.hasPrefix("git@"), let colon = text.firstIndex(of: ":") {
      text = "https://" + text[..<colon].dropFirst(4) + "/" + text[text.index(after: colon)...]
    }
    let isPlain = text.utf8.allSatisfy { $0.isURLCharacter }
    guard isPlain, !text.isEmpty else { return nil }
    if !text.hasPrefix("https://") && !text.hasPrefix("http://") {
      guard text.split(separator: "/", omittingEmptySubsequences: false).count == 2 else { return nil }
      text = "https://github.com/" + text
    }
    url = text
    self.commit = commit.flatMap { $0.allSatisfy(\.isHexDigit) && !$0.isEmpty ? $0 : nil }
  }

  /// What GitHub's and GitLab's variables say.
  static func ofCI(_ variable: (String) -> String?) -> (url: String?, commit: String?) {
    if let server = variable("GITHUB_SERVER_URL"), let name = variable("GITHUB_REPOSITORY") {
      return ("\(server)/\(name)", variable("GITHUB_SHA"))
    }
    return (variable("CI_PROJECT_URL"), variable("CI_COMMIT_SHA"))
  }
}

extension UInt8 {
  /// What can stand in the address of a repository unescaped.
  fileprivate var isURLCharacter: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "~"), UInt8(ascii: "/"), UInt8(ascii: ":"):
      true
    default: false
    }
  }
}

import Collector
import ReportModel
import ReportReading

struct GitPackage: Sendable {
  let git: Git
  let root: String
  /// From there to the package, with a slash at its end unless empty.
  let prefix: String
  let commonFolder: String

  init(folder: String, environment: [String: String]) throws(Git.Problem) {
    git = Git(folder: folder, environment: environment)
    let answer = try git.run("rev-parse", "--show-toplevel", "--git-common-dir", "--show-prefix")
    guard answer.status == 0 else { throw Self.problem(answer, folder) }
    let lines = String(decoding: answer.output, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
    guard lines.count >= 3, lines[0].hasPrefix("/") else {
      throw Git.Problem(description: "\(folder) is in no folder that git has checked out.")
    }
    root = String(lines[0])
    let common = String(lines[1])
    prefix = String(lines[2])
    commonFolder = SourceRoot(path: common.hasPrefix("/") ? common : folder + "/" + common).path
  }

  private static func problem(_ answer: Git.Answer, _ folder: String) -> Git.Problem {
    if let sentence = answer.errors.split(separator: "\n").first(where: { $0.contains("dubious ownership") })
    {
      // Only the folder that git names can be allowed.
      let quoted = sentence.split(separator: "'", maxSplits: 1).dropFirst().first.map { $0.dropLast() }
      let folder = quoted.map(String.init) ?? folder
      return Git.Problem(
        description:
          "git does not read the repository, since it belongs to another user: git config --global --add safe.directory "
          + "\(shellQuoted(folder)) allows it.")
    }
    if answer.errors.contains("not a git repository") {
      return Git.Problem(description: "\(folder) is in no git repository.")
    }
    return Git.Problem(description: "git does not read the repository: \(answer.reason)")
  }

  func commit(_ name: String) throws(Git.Problem) -> ComparedCommit {
    guard let hash = try hash(of: name) else {
      let isShallow = try git.run("rev-parse", "--is-shallow-repository").text == "true"
      throw Git.Problem(
        description: isShallow
          ? "\(name) is not in this shallow clone. Fetch all commits: fetch-depth: 0 of actions/checkout, or git fetch "
            + "--unshallow."
          : "\(name) is no commit, branch or tag of the repository. git fetch brings those of others.")
    }
    let told = try git.text("show", "-s", "--no-color", "--format=%ct%n%s", hash, "--")
    let lines = told.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
    return ComparedCommit(
      name: name, hash: hash, subject: lines.count > 1 ? String(lines[1]) : "",
      date: lines.first.flatMap { Double($0) } ?? 0, changes: [])
  }

  /// The hash of a commit, branch or tag, also one that only `origin` has.
  func hash(of name: String) throws(Git.Problem) -> String? {
    if let found = try hash(named: name) { return found }
    return try hash(named: "refs/remotes/origin/" + name)
  }

  private func hash(named name: String) throws(Git.Problem) -> String? {
    // Git would take it for an option.
    guard !name.isEmpty, !name.hasPrefix("-") else { return nil }
    let answer = try git.run("rev-parse", "--verify", "--quiet", name + "^{commit}")
    let text = answer.text
    return answer.status == 0 && text.isCommitHash ? text : nil
  }

  /// True where nothing in the working tree differs from a commit.
  func isUnchanged(since hash: String) throws(Git.Problem) -> Bool {
    let diff = try git.run(
      "diff", "--quiet", "--no-ext-diff", "--no-textconv", "--no-renames", hash, "--", ":/")
    if diff.status != 0 { return false }
    return try git.run("ls-files", "--others", "--exclude-standard", "--", ":/").output.isEmpty
  }

  // MARK: - What changed

  /// The hunks up to another commit or the working tree, and whether there are more.
  ///
  /// - Parameter mostNamed: Hunks that get the commit that changed them; each file takes a moment.
  func changes(
    since hash: String, until other: String? = nil, mostNamed: Int = 200
  ) throws(Git.Problem) -> (hunks: [ChangedLines], isCut: Bool) {
    let answer = try git.run(
      [
        "diff", "--relative", "-U3", "--inter-hunk-context=0", "--no-color", "--no-ext-diff", "--no-textconv",
        "--no-renames", "--submodule=short", "--src-prefix=a/", "--dst-prefix=b/",
      ] + [hash, other].compactMap(\.self) + ["--", "."], limit: GitDiff.mostBytes + (GitDiff.mostBytes >> 1))
    guard answer.status == 0 else {
      throw Git.Problem(
        description: "What has changed since \(shortCommit(hash)) is not known: \(answer.reason)")
    }
    let diff = GitDiff(answer.output)
    var hunks = diff.hunks
    try findCommits(of: &hunks, mostNamed, since: hash, until: other)
    return (hunks, diff.isCut || !answer.isWhole)
  }

  private func findCommits(
    of hunks: inout [ChangedLines], _ most: Int, since hash: String, until other: String?
  ) throws(Git.Problem) {
    let files = Dictionary(grouping: hunks.indices.prefix(most)) { hunks[$0].path }
    for (path, indices) in files.sorted(by: { $0.key < $1.key }) {
      let changed = indices.filter { hunks[$0].newCount > 0 }
      let ranges = changed.flatMap { index in
        ["-L", "\(max(1, hunks[index].newStart)),+\(hunks[index].newCount)"]
      }
      if ranges.isEmpty { continue }
      let answer = try git.run(
        ["blame", "--porcelain", "--no-progress", "--no-textconv"] + ranges
          + [other, "^" + hash].compactMap(\.self) + ["--", path],
        limit: 4 << 20)
      // Uncommitted files have no lines to blame.
      guard answer.status == 0, answer.isWhole else { continue }
      let blame = GitBlame(answer.output)
      for index in changed { hunks[index].lastCommit = blame.lastCommit(of: hunks[index]) }
    }
  }
}

/// What `git blame --porcelain` says of a file.
struct GitBlame {
  private var commits: [String: ChangedLines.LastCommit] = [:]
  private var hashes: [Int: String] = [:]

  init(_ output: [UInt8]) {
    var current = ""
    for line in output.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      // The file's own lines begin with a tabulator.
      if line.first == 9 { continue }
      let words = String(decoding: line, as: UTF8.self).split(separator: " ", maxSplits: 1)
      guard words.count == 2 else { continue }
      switch words[0] {
      case "committer-time": commits[current]?.date = Double(words[1]) ?? 0
      case "summary": commits[current]?.subject = String(words[1])
      case let hash where hash.isCommitHash:
        current = String(hash)
        let numbers = words[1].split(separator: " ").compactMap { Int($0) }
        if numbers.count >= 2 { hashes[numbers[1]] = current }
        if commits[current] == nil { commits[current] = .init(hash: current, subject: "", date: 0) }
      default: break
      }
    }
  }

  /// The newest commit of a hunk's new lines; `nil` where one is not committed.
  func lastCommit(of hunk: ChangedLines) -> ChangedLines.LastCommit? {
    var last: ChangedLines.LastCommit?
    for number in hunk.added {
      guard let hash = hashes[number], !hash.allSatisfy({ $0 == "0" }), let commit = commits[hash] else {
        return nil
      }
      if commit.date >= last?.date ?? -1 { last = commit }
    }
    return last
  }
}

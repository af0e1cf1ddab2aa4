import ExhibitSystem
import Foundation
import ReportModel

/// Runs `git` without changes to a repository, questions, or a repository's own programs.
struct Git: Sendable {
  var place: [String]
  /// False where files in LFS stay pointers.
  var usesLFS: Bool
  /// The descriptor of its standard input; `nil` for ours.
  var input: Int32?
  private let environment: [String: String]

  init(folder: String, environment: [String: String]) {
    place = ["-C", folder]
    self.environment = Self.clean(environment)
    // Git ends where a configured filter cannot be started.
    usesLFS = (environment["PATH"] ?? "").split(separator: ":").contains {
      FileSystem.status($0 + "/git-lfs") != nil
    }
  }

  struct Problem: Error, CustomStringConvertible {
    var description: String

    static let interrupted = Problem(description: "It was interrupted.")
  }

  struct Answer {
    var status: Int32
    var output: [UInt8]
    var isWhole: Bool
    var errors: String

    var text: String {
      String(decoding: output, as: UTF8.self).trimmingCharacters(in: .newlines)
    }

    var reason: String {
      let lines = errors.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      if errors.contains("promisor remote") {
        return
          "This clone has not all files of its commits, and its remote does not give them. git fetch --refetch "
          + "--no-filter brings them."
      }
      return lines.first { $0.hasPrefix("fatal: ") || $0.hasPrefix("error: ") } ?? lines.first
        ?? "It returned \(status)."
    }
  }

  /// They keep a repository from running a program or asking for one.
  private static let settings = [
    "core.hooksPath=/dev/null", "core.fsmonitor=false", "core.quotePath=true", "core.pager=cat",
    "submodule.recurse=false", "advice.detachedHead=false", "gc.auto=0", "maintenance.auto=false",
    "filter.lfs.required=false", "core.askPass=", "credential.interactive=false", "log.showSignature=false",
    "diff.suppressBlankEmpty=false",
  ]
  private static let withoutLFS = ["filter.lfs.process=", "filter.lfs.smudge=", "filter.lfs.clean="]

  func run(_ arguments: String..., limit: Int = 1 << 20) throws(Problem) -> Answer {
    try run(arguments, limit: limit)
  }

  func run(_ arguments: [String], limit: Int = 1 << 20) throws(Problem) -> Answer {
    let settings = Self.settings + (usesLFS ? [] : Self.withoutLFS)
    let ran: ChildProcess.Ran
    do throws(ChildProcess.StartingError) {
      // Of a longer output, half of what is kept is its beginning.
      ran = try ChildProcess.run(
        "git", place + settings.flatMap { ["-c", $0] } + arguments, environment: environment, input: input,
        keeping: 2 * limit, isSilent: true)
    } catch {
      throw Problem(description: "git cannot be started: \(String(cString: strerror(error.code))).")
    }
    let (status, output) = (ran.end.status, ran.output)
    if status != 0, SignalForwarding.isAskedToEnd { throw .interrupted }
    return Answer(
      status: status, output: output.isWhole ? output.bytes : Array(output.bytes.prefix(limit)),
      isWhole: output.isWhole, errors: String(decoding: ran.errors.bytes, as: UTF8.self))
  }

  func text(_ arguments: String...) throws(Problem) -> String {
    let answer = try run(arguments)
    guard answer.status == 0 else {
      throw Problem(description: "git \(arguments.first ?? "") failed: \(answer.reason)")
    }
    return answer.text
  }

  /// True where tracked files have changed; `nil` where git does not say.
  var isDirty: Bool? {
    guard let answer = try? run("status", "--porcelain", "--untracked-files=no"), answer.status == 0 else {
      return nil
    }
    return !answer.output.isEmpty
  }

  /// In a hook, git's variables name the hook's repository, which may be another.
  private static func clean(_ environment: [String: String]) -> [String: String] {
    let kept = ["GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_CEILING_DIRECTORIES"]
    var clean = environment.filter { name, _ in
      !name.hasPrefix("GIT_") || kept.contains(name) || name.hasPrefix("GIT_SSH")
        || name == "GIT_CONFIG_COUNT" || name.hasPrefix("GIT_CONFIG_KEY_")
        || name.hasPrefix("GIT_CONFIG_VALUE_")
    }
    clean.merge([
      "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "GIT_PAGER": "cat", "LC_ALL": "C",
      "LANGUAGE": "", "SSH_ASKPASS": "false", "SSH_ASKPASS_REQUIRE": "force",
    ]) { $1 }
    return clean
  }
}

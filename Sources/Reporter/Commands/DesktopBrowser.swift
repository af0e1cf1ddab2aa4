import Glibc
import ReportModel

/// The browser for a report: the one in `$BROWSER`, or the one that `xdg-open` finds.
struct DesktopBrowser {
  enum OpeningError: Error, CustomStringConvertible {
    case noDisplay(isRemote: Bool)
    case failed(program: String, reason: String)

    var description: String {
      switch self {
      case .noDisplay(isRemote: true):
        "There is no browser here: this is a session of another machine. Set $BROWSER, or open the address there."
      case .noDisplay:
        "There is no display to open a browser on. Set $BROWSER, or open the address elsewhere."
      case .failed(let program, let reason):
        "\(program) opened no browser: \(reason). Set $BROWSER, or open the address yourself."
      }
    }
  }

  private typealias Candidate = (program: String, arguments: [String])

  let environment: [String: String]

  /// Opens an address in a process of its own, and returns once that is known to run.
  func open(_ address: String) throws(OpeningError) {
    let named = candidates(for: address)
    if named.isEmpty && !hasDisplay {
      throw .noDisplay(isRemote: isSet("SSH_CONNECTION") || isSet("SSH_TTY"))
    }
    var last = OpeningError.failed(program: "xdg-open", reason: "no browser was tried")
    for candidate in named.isEmpty ? [("xdg-open", [address])] : named {
      do throws(OpeningError) {
        return try start(candidate)
      } catch {
        last = error
      }
    }
    throw last
  }

  private func isSet(_ name: String) -> Bool { environment[name].map { !$0.isEmpty } ?? false }

  private var hasDisplay: Bool { isSet("DISPLAY") || isSet("WAYLAND_DISPLAY") }

  /// The commands to try, in order.
  ///
  /// `$BROWSER` has commands separated by colons, their words by spaces; `%s` stands for the address, which
  /// otherwise comes last. No shell reads them. Sources: xdg-open(1), sensible-browser(1).
  private func candidates(for address: String) -> [Candidate] {
    (environment["BROWSER"] ?? "").split(separator: ":").compactMap { command in
      let words = command.split(separator: " ").map(String.init)
      guard let program = words.first else { return nil }
      let arguments = words.dropFirst().map { $0.replacing("%s", with: address) }
      let isNamed = words.dropFirst().contains { $0.contains("%s") }
      return (program, arguments + (isNamed ? [] : [address]))
    }
  }

  // MARK: - Starting

  /// Tenths of a second in which a program that cannot open the address fails.
  private static let patience = 20

  /// `POSIX_SPAWN_SETSID` of glibc's and musl's spawn.h, which Glibc's module lacks.
  private static let newSession: Int16 = 0x80

  private func start(_ candidate: Candidate) throws(OpeningError) {
    let process = try spawn(candidate)
    for _ in 0..<Self.patience {
      var status: Int32 = 0
      switch waitpid(process, &status, WNOHANG) {
      case 0: usleep(100_000)
      case process where status == 0: return
      case process:
        let isSignal = status & 0x7f != 0
        let reason = isSignal ? "signal \(status & 0x7f)" : "it returned \((status >> 8) & 0xff)"
        throw .failed(program: candidate.program, reason: reason)
      default: return
      }
    }
  }

  /// Starts the program in its own session, so that neither this command's end nor the terminal's ends it.
  private func spawn(_ candidate: Candidate) throws(OpeningError) -> pid_t {
    func check(_ code: Int32) throws(OpeningError) {
      guard code == 0 else {
        throw .failed(program: candidate.program, reason: String(cString: strerror(code)))
      }
    }
    var actions = posix_spawn_file_actions_t()
    try check(posix_spawn_file_actions_init(&actions))
    defer { posix_spawn_file_actions_destroy(&actions) }
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
      try check(posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0))
    }
    var attributes = posix_spawnattr_t()
    try check(posix_spawnattr_init(&attributes))
    defer { posix_spawnattr_destroy(&attributes) }
    try check(posix_spawnattr_setflags(&attributes, Self.newSession))
    var process: pid_t = 0
    try check(
      ChildProcess.spawn(
        candidate.program, candidate.arguments, environment, &actions, &attributes, &process))
    return process
  }
}

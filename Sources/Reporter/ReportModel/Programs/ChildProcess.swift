package import Glibc

/// A program in its own process group, so that it gets each signal once, from us.
package final class ChildProcess: Sendable {
  package enum End: Sendable, Equatable {
    case exited(Int32)
    case signalled(Int32)

    /// As a shell reports it: 128 plus a signal's number.
    package var status: Int32 {
      switch self {
      case .exited(let status): status
      case .signalled(let signal): 128 + signal
      }
    }
  }

  package struct StartingError: Error, CustomStringConvertible {
    package var program: String
    package var code: Int32

    package var description: String { "Cannot start \(program): \(String(cString: strerror(code)))" }
  }

  package let pid: pid_t
  package let output: Int32
  package let errors: Int32

  /// - Parameters:
  ///   - program: A path, or a name in `PATH`.
  ///   - input: Its standard input; `nil` for ours.
  package init(
    _ program: String, _ arguments: [String], environment: [String: String], input: Int32? = nil
  ) throws(StartingError) {
    func check(_ code: Int32) throws(StartingError) {
      if code != 0 { throw StartingError(program: program, code: code) }
    }
    var (outputPipe, errorPipe): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
    try check(Self.makePipe(&outputPipe))
    try check(Self.makePipe(&errorPipe))
    defer {
      close(outputPipe[1])
      close(errorPipe[1])
    }
    var actions = posix_spawn_file_actions_t()
    try check(posix_spawn_file_actions_init(&actions))
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let input { try check(posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)) }
    try check(posix_spawn_file_actions_adddup2(&actions, outputPipe[1], STDOUT_FILENO))
    try check(posix_spawn_file_actions_adddup2(&actions, errorPipe[1], STDERR_FILENO))
    var attributes = posix_spawnattr_t()
    try check(posix_spawnattr_init(&attributes))
    defer { posix_spawnattr_destroy(&attributes) }
    try check(Self.setSignalsAndGroup(&attributes))
    var pid: pid_t = 0
    try check(Self.spawn(program, arguments, environment, &actions, &attributes, &pid))
    self.pid = pid
    output = outputPipe[0]
    errors = errorPipe[0]
  }

  deinit {
    close(output)
    close(errors)
  }

  package func send(_ signal: Int32) {
    kill(-pid, signal)
  }

  /// True after its end; its number stays taken until `reap()`.
  package var hasEnded: Bool {
    var information = siginfo_t()
    let result = waitid(P_PID, id_t(pid), &information, WEXITED | WNOHANG | WNOWAIT)
    return result == 0 && information.si_signo == SIGCHLD
  }

  package func reap() -> End {
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
    let signal = status & 0x7f
    return signal == 0 ? .exited((status >> 8) & 0xff) : .signalled(signal)
  }

  private static func makePipe(_ ends: inout [Int32]) -> Int32 {
    guard pipe(&ends) == 0 else { return errno }
    return ends.allSatisfy { fcntl($0, F_SETFD, FD_CLOEXEC) == 0 } ? 0 : errno
  }

  private static func setSignalsAndGroup(_ attributes: inout posix_spawnattr_t) -> Int32 {
    // It receives every signal, whatever we ignore.
    var (all, none) = (sigset_t(), sigset_t())
    sigfillset(&all)
    sigemptyset(&none)
    let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
    for code in [
      posix_spawnattr_setsigdefault(&attributes, &all), posix_spawnattr_setsigmask(&attributes, &none),
      posix_spawnattr_setpgroup(&attributes, 0), posix_spawnattr_setflags(&attributes, Int16(flags)),
    ] where code != 0 {
      return code
    }
    return 0
  }

  package static func spawn(
    _ program: String, _ arguments: [String], _ environment: [String: String],
    _ actions: inout posix_spawn_file_actions_t, _ attributes: inout posix_spawnattr_t, _ pid: inout pid_t
  ) -> Int32 {
    var argv = ([program] + arguments).map { strdup($0) } + [nil]
    var envp = environment.sorted { $0.key < $1.key }.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for string in argv + envp { free(string) } }
    return posix_spawnp(&pid, program, &actions, &attributes, &argv, &envp)
  }
}

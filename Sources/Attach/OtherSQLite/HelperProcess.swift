import Collector
import ExhibitStart
import ExhibitSystem
import Foundation

/// Starts the test executable again as a helper, which captures what this process must not open.
struct HelperProcess {
  var patience: Duration
  var bytes: Int

  private var limit: Duration { patience + .milliseconds(bytes / (64 << 10)) }

  func capture(_ request: HelperRequest) throws -> DatabaseCaptureResult {
    var request = request
    // The last quarter is for starting.
    request.limits.wait = patience * 3 / 4
    let answer = try ask(String(decoding: JSONEncoder().encode(request), as: UTF8.self), about: request.path)
    do {
      return try JSONDecoder().decode(DatabaseCaptureResult.self, from: Data(answer))
    } catch {
      throw unanswered(request.path, "it ended without an answer")
    }
  }

  private func ask(_ request: String, about path: String) throws -> [UInt8] {
    let deadline = ContinuousClock.now + limit
    var process: pid_t = 0
    var pipe: Int32 = -1
    let code = exhibit_spawn_helper(request, &process, &pipe)
    guard code == 0 else {
      throw unanswered(
        path,
        code == ENOEXEC
          ? "Attach is in a library here, not in the test executable"
          : SystemError("start", "the helper", code: code).reason)
    }
    defer {
      close(pipe)
      end(process)
    }
    guard let answer = read(pipe, until: deadline) else {
      throw unanswered(path, "it took longer than \(limit)")
    }
    return answer
  }

  private func read(_ pipe: Int32, until deadline: ContinuousClock.Instant) -> [UInt8]? {
    var answer: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let rest = max(.zero, deadline - .now) / .milliseconds(1)
      var poll = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
      let ready = Glibc.poll(&poll, 1, Int32(min(rest, 60_000)))
      if ready == 0, ContinuousClock.now >= deadline { return nil }
      guard ready > 0 else { continue }
      let count = Glibc.read(pipe, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return answer }
      answer += buffer.prefix(count)
    }
  }

  /// An app that waits for any child may have reaped it, and its number may be reused.
  private func end(_ process: pid_t) {
    guard waitpid(process, nil, WNOHANG) == 0 else { return }
    kill(process, SIGKILL)
    while waitpid(process, nil, 0) < 0, errno == EINTR {}
  }

  private func unanswered(_ path: String, _ reason: String) -> CaptureError {
    CaptureError(
      .foreignHandle,
      "\(path) is open in the test process through another copy of SQLite, so only a helper process may read it,"
        + " and that did not work: \(reason).")
  }
}

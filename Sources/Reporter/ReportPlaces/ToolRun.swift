import ExhibitSystem
import Glibc
import ReportModel

/// Runs a program that answers standard input.
struct ToolRun {
  var program: String
  var arguments: [String]
  var environment: [String: String]
  var deadline: ContinuousClock.Instant
  var most: Int

  /// The failure, which continues a sentence after the program's name.
  struct Failure: Error {
    var reason: String

    init(_ reason: String) { self.reason = reason }
  }

  func answer(to question: [UInt8]) throws(Failure) -> [UInt8] {
    let output: BoundedOutput
    let end: ChildProcess.End
    do {
      let input = try Self.unnamedFile(question)
      defer { close(input) }
      let child = try ChildProcess(program, arguments, environment: ownEnvironment, input: input)
      var relay = OutputRelay(keeping: most, isSilent: true)
      output = relay.relay(child, until: deadline)
      // It may have closed its output and still run.
      while !child.hasEnded, ContinuousClock.now < deadline { usleep(10_000) }
      if !child.hasEnded { child.send(SIGKILL) }
      end = child.reap()
    } catch let error as ChildProcess.StartingError {
      throw Failure("cannot be started (\(SystemError.message(for: error.code)))")
    } catch {
      throw Failure("cannot be asked (\(error))")
    }
    if ContinuousClock.now >= deadline, end == .signalled(SIGKILL) { throw Failure("takes too long") }
    guard output.isWhole else { throw Failure("answers with too much") }
    switch end {
    case .exited(0): return output.bytes
    case .exited(let status): throw Failure("fails with the status \(status)")
    case .signalled(let signal): throw Failure("dies of the signal \(signal)")
    }
  }

  /// Without variables that change LLVM's output or make it ask a server.
  private var ownEnvironment: [String: String] {
    environment.filter { name, _ in !name.hasPrefix("LLVM_") && !name.hasPrefix("DEBUGINFOD_") }
  }

  /// An unlinked file, which unlike a pipe never blocks.
  private static func unnamedFile(_ bytes: [UInt8]) throws(SystemError) -> Int32 {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var path = Array("\(folder)/.reporter-XXXXXX".utf8CString)
    let descriptor = mkstemp(&path)
    guard descriptor >= 0, fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 else {
      throw SystemError("create a file in", folder)
    }
    unlink(path)
    do throws(SystemError) {
      try FileSystem.write(bytes, to: descriptor, path: folder)
      guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw SystemError("read", folder) }
    } catch {
      close(descriptor)
      throw error
    }
    return descriptor
  }
}

import Dispatch
import Glibc
import Synchronization

/// Passes the signals that would end us on to a child, so that it ends first and is still reported.
package final class SignalForwarding {
  private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
  private var sources: [any DispatchSourceSignal] = []
  private static let hasCome = Mutex(false)

  package static var isAskedToEnd: Bool { hasCome.withLock { $0 } }

  /// Keeps the signals from ending this process; called before a child starts.
  package static func prepare() {
    // An ignored signal is dropped unless it is blocked, even where a source waits for it.
    var blocked = sigset_t()
    sigemptyset(&blocked)
    for number in signals {
      sigaddset(&blocked, number)
      signal(number, SIG_IGN)
    }
    pthread_sigmask(SIG_BLOCK, &blocked, nil)
    // Writing notices a closed standard output.
    signal(SIGPIPE, SIG_IGN)
  }

  /// Returns when signals are handled; an earlier one would be lost.
  ///
  /// - Parameter child: `nil` to note only that a signal came.
  package init(to child: ChildProcess?) {
    let registered = DispatchGroup()
    defer { registered.wait() }
    for number in Self.signals {
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        Self.hasCome.withLock { $0 = true }
        child?.send(number)
      }
      registered.enter()
      source.setRegistrationHandler { registered.leave() }
      source.resume()
      sources.append(source)
    }
  }

  deinit {
    for source in sources { source.cancel() }
  }
}

extension ChildProcess {
  package typealias Ran = (end: End, output: BoundedOutput, errors: BoundedOutput)

  /// Runs a program to its end; the signals that would end us go to it.
  ///
  /// - Parameters:
  ///   - limit: Bytes of its output to keep.
  ///   - isSilent: True to print nothing, and to keep its errors apart.
  package static func run(
    _ program: String, _ arguments: [String], environment: [String: String], input: Int32? = nil,
    keeping limit: Int, isSilent: Bool
  ) throws(StartingError) -> Ran {
    let child = try ChildProcess(program, arguments, environment: environment, input: input)
    let forwarding = SignalForwarding(to: child)
    var relay = OutputRelay(keeping: limit, isSilent: isSilent)
    let output = relay.relay(child)
    return (withExtendedLifetime(forwarding) { child.reap() }, output, relay.errors)
  }
}

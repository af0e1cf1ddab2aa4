import Foundation
import Glibc

/// A socket that a client of PostgreSQL reaches, behind which nobody answers as a server does.
package final class SilentServer: @unchecked Sendable {
  private let folder: TemporaryFolder
  private let descriptor: Int32
  private let answers: Bool
  /// The port, where it is no socket in a folder.
  private let port: UInt16?

  /// - Parameters:
  ///   - answer: What everybody is sent that has said something; then the connection stays open.
  ///   - isOnNetwork: Whether it is reached by the network of this machine, as TLS takes.
  package init(answer: [UInt8] = [], isOnNetwork: Bool = false) throws {
    folder = try TemporaryFolder()
    answers = !answer.isEmpty
    descriptor = socket(isOnNetwork ? AF_INET : AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    if isOnNetwork {
      port = try Loopback.bind(descriptor)
    } else {
      port = nil
      try Self.bind(descriptor, to: folder(".s.PGSQL.5432"))
    }
    guard listen(descriptor, 8) == 0 else { throw CocoaError(.fileWriteUnknown) }
    guard answers else { return }
    let listening = descriptor
    Thread.detachNewThread {
      while true {
        let client = accept(listening, nil, nil)
        guard client >= 0 else { break }
        var heard = [UInt8](repeating: 0, count: 1000)
        guard read(client, &heard, heard.count) > 0 else { continue }
        _ = send(client, answer, answer.count, Int32(MSG_NOSIGNAL))
      }
      // Closed before, its number could be another server's by now.
      close(listening)
    }
  }

  deinit {
    // Whoever waits in accept comes back.
    _ = shutdown(descriptor, Int32(SHUT_RDWR))
    if !answers { close(descriptor) }
  }

  package func address(_ query: String) -> String {
    let host = port.map { "\(Loopback.own)&port=\($0)" } ?? folder.path
    return "postgresql://ci@/history?host=\(host)&\(query)"
  }

  private static func bind(_ descriptor: Int32, to path: String) throws {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
    let isBound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard isBound == 0 else { throw CocoaError(.fileWriteUnknown) }
  }
}

/// An address of the network that only this machine has, and no two processes of tests use.
package enum Loopback {
  /// One of the sixteen million of them.
  package static let own = "127.\(80 + (getpid() >> 16 & 31)).\(getpid() >> 8 & 255).\(getpid() & 255)"

  /// - Returns: The port, which was free.
  fileprivate static func bind(_ descriptor: Int32) throws -> UInt16 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr(own)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
      }
    }
    guard isBound else { throw CocoaError(.fileWriteUnknown) }
    return UInt16(bigEndian: address.sin_port)
  }
}

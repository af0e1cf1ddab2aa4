import Foundation

/// A socket that a client of PostgreSQL reaches, behind which nobody answers as a server does.
package final class SilentServer: @unchecked Sendable {
  package let folder: TemporaryFolder
  private let descriptor: Int32

  /// - Parameter answer: What everybody is sent that has said something; then the connection stays open.
  package init(answer: [UInt8] = []) throws {
    folder = try TemporaryFolder()
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let path = folder(".s.PGSQL.5432")
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
    let isBound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard isBound == 0, listen(descriptor, 8) == 0 else { throw CocoaError(.fileWriteUnknown) }
    guard !answer.isEmpty else { return }
    let listening = descriptor
    Thread.detachNewThread {
      while true {
        let client = accept(listening, nil, nil)
        guard client >= 0 else { return }
        var heard = [UInt8](repeating: 0, count: 1000)
        guard read(client, &heard, heard.count) > 0 else { continue }
        _ = send(client, answer, answer.count, Int32(MSG_NOSIGNAL))
      }
    }
  }

  deinit {
    // Whoever waits in accept comes back.
    _ = shutdown(descriptor, Int32(SHUT_RDWR))
    close(descriptor)
  }

  package func address(_ query: String) -> String { "postgresql://ci@/history?host=\(folder.path)&\(query)" }
}

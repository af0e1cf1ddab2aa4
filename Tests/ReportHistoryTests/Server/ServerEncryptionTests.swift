import Collector
import Foundation
import ReportModel
import Testing

@testable import ReportHistory

/// A history that is reached through TLS, as libpq has it: the server is the one that its certificate names, or nothing is said.
@Suite(
  .enabled(
    if: PostgreSQLServer.isAvailable, "needs the server of postgresql, which ci/setup --postgresql installs"))
struct ServerEncryptionTests {
  private static let served = Result { try EncryptedServer() }
  private func served() throws -> EncryptedServer { try Self.served.get() }

  private func run(_ hour: Double) -> KeptRun {
    KeptRun(
      run: WrittenHistory.run(hour), tests: [WrittenHistory.result(WrittenHistory.first, .failed, "fails")])
  }

  @Test func aHistoryIsAddedToAndReadThroughIt() throws {
    let address = try served().address("sslmode=verify-full&sslrootcert=\(served().authority)")
    let store = HistoryServer(address)
    #expect(try store.add(run(1)) != nil)
    #expect(try store.identities() == [WrittenHistory.first.description])
    let encrypted = try store.renewed.read { connection in
      try connection.integers(
        "SELECT CASE WHEN ssl THEN 1 ELSE 0 END FROM pg_stat_ssl WHERE pid = pg_backend_pid()")
    }
    #expect(encrypted == [1])
  }

  @Test(arguments: [
    ("localhost", "stranger", "verify-full", "certificate verify failed"),
    ("localhost", "stranger", "verify-ca", "certificate verify failed"),
    ("db.example", "authority", "verify-full", "does not match host name"),
  ])
  func aServerThatIsSomebodyElseIsToldNothing(
    host: String, authority: String, mode: String, reason: String
  ) throws {
    let served = try served()
    let root = authority == "authority" ? served.authority : served.stranger
    let store = HistoryServer(served.address("sslmode=\(mode)&sslrootcert=\(root)", host: host))
    let error = try #require(throws: HistoryError.self) { try store.add(run(2)) }
    #expect("\(error)".contains("cannot be reached") && "\(error)".contains(reason), "\(error)")
    #expect(!"\(error)".contains(root) && !"\(error)".contains("sslmode"), "\(error)")
  }

  @Test func aRootThatIsMissingIsNamed() throws {
    let store = HistoryServer(try served().address("sslmode=verify-full&sslrootcert=/nowhere/root.crt"))
    let error = try #require(throws: HistoryError.self) { try store.identities() }
    #expect("\(error)".contains("cannot be reached") && "\(error)".contains("does not exist"), "\(error)")
  }
}

/// Servers that cannot do it, or stop in the middle of it.
@Suite(
  .enabled(
    if: PostgreSQLServer.isAvailable, "needs the server of postgresql, which ci/setup --postgresql installs"))
struct BrokenEncryptionTests {
  private func problem(_ server: SilentServer) throws -> (HistoryError, Duration) {
    try server.problem("sslmode=require&gssencmode=disable&connect_timeout=1")
  }

  @Test func aServerWithoutItIsNotSpokenToInTheOpen() throws {
    let (error, time) = try problem(SilentServer(answer: Array("N".utf8), isOnNetwork: true))
    #expect(
      "\(error)".contains("cannot be reached") && "\(error)".contains("does not support SSL"), "\(error)")
    #expect(time < .seconds(1))
  }

  @Test func aServerThatFallsSilentIsNotWaitedFor() throws {
    let (error, time) = try problem(SilentServer(answer: Array("S".utf8), isOnNetwork: true))
    #expect(error.problem == .late(seconds: 1))
    #expect(time < .seconds(1.8))
  }
}

/// A server that is reached by the network of this machine alone, as `localhost`, and certificates that are made for it.
private struct EncryptedServer {
  private let server: PostgreSQLServer
  private let certificates: TemporaryFolder
  /// What signed the server's certificate, and what did not.
  var authority: String { certificates("authority.crt") }
  var stranger: String { certificates("stranger.crt") }

  init() throws {
    certificates = try TemporaryFolder()
    for (name, subject) in [("authority", "localhost"), ("stranger", "localhost")] {
      try Self.run(
        "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days",
        "2",
        "-subj", "/CN=\(subject)", "-addext", "subjectAltName=DNS:\(subject)", "-keyout",
        certificates("\(name).key"), "-out", certificates("\(name).crt"))
    }
    // The server, which is another user, takes no key that others can read.
    try Self.run("chmod", "0755", certificates.path)
    if getuid() == 0 { try Self.run("chown", "nobody", certificates("authority.key")) }
    server = try PostgreSQLServer(
      "ssl=on", "ssl_cert_file=\(certificates("authority.crt"))",
      "ssl_key_file=\(certificates("authority.key"))",
      "listen_addresses=\(Loopback.own)", "fsync=off")
    _ = try server.makeDatabase("history")
  }

  /// - Parameter host: The name that the certificate has to have; it is not looked up.
  func address(_ query: String, host: String = "localhost") -> String {
    "postgresql://\(PostgreSQLServer.user)@\(host)/history?hostaddr=\(Loopback.own)&\(query)"
  }

  private static func run(_ arguments: String...) throws {
    let result = try Command(arguments).run()
    try #require(result.status == 0, "\(result.output)")
  }
}

import ExhibitSystem
import Foundation

/// A server of PostgreSQL in a folder of its own, which only this machine reaches, by a socket; it ends with its last use.
package final class PostgreSQLServer: Sendable {
  /// Where the socket lies.
  package let folder: TemporaryFolder
  private let data: String
  private let options: [String]
  private let shell = Locked<(process: Process, input: Pipe)?>(nil)

  private static let programs = "/usr/lib/postgresql/15/bin"
  package static let user = "ci"

  /// Whether one can be started.
  package static let isAvailable = FileManager.default.isExecutableFile(atPath: "\(programs)/initdb")

  /// The server for tests that leave it as it is, each with a database of its own.
  package static let shared = Result { try PostgreSQLServer("fsync=off", "max_connections=60") }

  /// The server did not start, or psql did not do what it was told.
  package struct Refused: Error {
    package var message: String
  }

  /// - Parameters:
  ///   - place: Where its data lie; in the folder of its socket unless given.
  ///   - settings: Settings of the server, as `name=value`.
  package init(data place: String? = nil, _ settings: String...) throws {
    folder = try TemporaryFolder()
    data = try place ?? folder.makeFolder("data")
    let usual = [
      "listen_addresses=", "unix_socket_directories=\(folder.path)", "max_wal_size=8", "min_wal_size=2",
    ]
    options = (usual + settings).flatMap { ["-c", $0] }
    for path in [folder.path, data] { try Self.run(["chmod", "0777", path]) }
    if getuid() == 0 { try Self.run(["chown", "nobody", data]) }
    try Self.run(
      Self.asSomebody + [
        "\(Self.programs)/initdb", "--pgdata", data, "--auth", "trust", "--username", Self.user, "--no-sync",
        "--encoding", "UTF8", "--locale", "C.UTF-8", "--wal-segsize", "1",
      ])
    try start()
  }

  deinit {
    signal(SIGCONT)
    stop()
  }

  /// Starts the server; it also ends, and its folder goes, when this process does.
  package func start() throws {
    // The processes of a server that was killed end a moment later, and keep another from starting.
    Self.wait {
      let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
      return !all.contains {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\($0)/cwd")) == data
      }
    }
    // One that was killed leaves them, and their number may be a process's that nobody has asked how it ended. Else there are none.
    for file in [data + "/postmaster.pid", folder(".s.PGSQL.5432.lock")] {
      try? FileManager.default.removeItem(atPath: file)
    }
    let (process, input) = (Process(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    // It does not wait for the server: the mask of this thread may keep it from hearing of the end.
    let script = #"""
      folder=$0; "$@" >>"$folder/log" 2>&1 & read -r order; kill -QUIT $!; [ "$order" ] || { sleep 2; rm -rf "$folder"; }
      """#
    let server = Self.asSomebody + ["\(Self.programs)/postgres", "-D", data] + options
    process.arguments = ["-c", script, folder.path] + server
    process.standardInput = input
    try process.run()
    shell.withLock { $0 = (process, input) }
    Self.wait { (try? sql("SELECT 1")) != nil }
    _ = try sql("SELECT 1")
  }

  /// Ends it at once; its data stay.
  package func stop() {
    guard let (process, input) = shell.withLock({ $0.take() }) else { return }
    let server = processID
    // It fails where the shell has ended.
    try? input.fileHandleForWriting.write(contentsOf: Data("stop\n".utf8))
    process.waitUntilExit()
    Self.wait {
      // One that has ended may wait for somebody to ask how.
      let state = server.flatMap { try? String(contentsOfFile: "/proc/\($0)/stat", encoding: .utf8) }
      return state?.contains(") Z ") != false
    }
  }

  /// Waits until something is so, ten seconds at most.
  package static func wait(until isSo: () -> Bool) {
    for _ in 1...200 {
      if isSo() { return }
      usleep(50_000)
    }
  }

  private static var asSomebody: [String] {
    getuid() == 0 ? ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"] : []
  }

  private static func run(_ arguments: [String]) throws {
    let result = try Command(arguments).run()
    guard result.status == 0 else { throw Refused(message: result.output) }
  }

  /// The number of the process that starts all others; `nil` where it does not run.
  package var processID: Int32? {
    let lines = try? String(contentsOfFile: data + "/postmaster.pid", encoding: .utf8)
    return lines?.split(separator: "\n").first.flatMap { Int32($0) }
  }

  package func signal(_ signal: Int32) {
    if let processID { kill(processID, signal) }
  }

  /// Makes an empty database and gives its address.
  ///
  /// - Parameters:
  ///   - query: What else the address says.
  package func makeDatabase(_ name: String, _ query: String = "", user: String = user) throws -> String {
    _ = try sql("CREATE DATABASE \"\(name)\"")
    return address(of: name, query, user: user)
  }

  package func address(of database: String, _ query: String = "", user: String = user) -> String {
    "postgresql://\(user)@/\(database)?host=\(folder.path)" + (query.isEmpty ? "" : "&" + query)
  }

  /// What PostgreSQL's own program prints of statements, without a line break at the end.
  @discardableResult package func sql(_ sql: String, in database: String = "postgres") throws -> String {
    let result = try Command(
      [
        "psql", "--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--set", "ON_ERROR_STOP=1", "--host",
        folder.path, "--username", Self.user, "--dbname", database,
      ], environment: Command.isolatedEnvironment, input: sql
    ).run()
    guard result.status == 0 else { throw Refused(message: result.output) }
    return result.output.trimmingCharacters(in: .newlines)
  }
}

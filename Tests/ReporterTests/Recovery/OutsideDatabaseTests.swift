import Collector
import ExhibitSystem
import Foundation
import Testing

@testable import ReportTestSupport

/// Databases that a log names and that lie where no capture may read: whatever the path looks like.
@Suite struct OutsideDatabaseTests {
  private let folder: TemporaryFolder
  /// Neither in a package nor in a temporary folder.
  private let outside: String
  private static let secret = "TOP-SECRET"
  private var run: RunFolder { RunFolder(path: folder.path + "/test-artifacts/runs/r") }

  init() throws {
    folder = try TemporaryFolder()
    outside = try Self.folderOutside() + "/exhibit-outside-\(UUID().uuidString)"
    for path in [run.path + "/logs", outside] { try FileSystem.createFolder(path) }
    let secret = try folder.database("s.db", "CREATE TABLE t(a); INSERT INTO t VALUES('\(Self.secret)');")
    try FileManager.default.moveItem(atPath: secret, toPath: outside + "/secret.db")
  }

  /// Beside the tests' programs, or in the user's folder where this checkout lies in a temporary one itself.
  private static func folderOutside() throws -> String {
    let open = OpenFolders(packageFolder: "/nowhere") { ProcessInfo.processInfo.environment[$0] }
    let folders = [FileSystem.parentFolder(of: try ThisPackage.program("x")) ?? "/", NSHomeDirectory()]
    return try #require(folders.first { !open.contain($0 + "/x") })
  }

  private func withOutside(_ body: () throws -> Void) throws {
    defer { try? FileManager.default.removeItem(atPath: outside) }
    try body()
  }

  private func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/" + name, withDestinationPath: target)
  }

  private func report(opened path: String, package: String) throws -> CommandResult {
    try RunManifest(run: "r", start: 1, package: package).write(to: run)
    let this = try #require(ProcessIdentity.current)
    let header = ProcessHeader(
      pid: this.pid, startTicks: this.startTicks + 1, executable: "T.xctest", boot: currentBoot)
    let test = TestCaseID.store("testDies")
    let records = [
      LogRecord(time: 1, header),
      LogRecord(time: 1, test: test, TestStart(framework: .xctest)),
      LogRecord(
        time: currentTime(), test: test, DatabaseOpening(connection: 1, path: path)),
    ]
    try folder.write(records.flatMap(LogLine.encode), to: "test-artifacts/runs/r/logs/9-9.jsonl")
    let result = try ReporterProcess.run(["report"], in: folder.path)
    try FileSystem.remove(run.manifestPath)
    return result
  }

  private func expectNothingCaptured(_ result: CommandResult, _ path: String) throws {
    #expect(result.status == 3)
    #expect(result.errors.contains(path), "\(result.errors)")
    for file in folder.files where file.contains("report/") || file.contains("evidence/") {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/\(file)"))
      #expect(bytes.firstRange(of: Data(Self.secret.utf8)) == nil, "\(path): \(file)")
    }
    try FileSystem.remove(run.postMortemFolder)
  }

  @Test func aPathThatLeadsOutIsNotCaptured() throws {
    try withOutside {
      try link("link.db", to: outside + "/secret.db")
      try link("folder", to: outside)
      try link("chain", to: "folder")
      let up = String(repeating: "/..", count: folder.path.split(separator: "/").count)
      for path in [
        outside + "/secret.db", folder.path + "/link.db", folder.path + "/folder/secret.db",
        folder.path + "/chain/secret.db", "/tmp/.." + outside + "/secret.db",
        folder.path + up + outside + "/secret.db", "/dev/shm/../.." + outside + "/secret.db",
      ] {
        try expectNothingCaptured(try report(opened: path, package: folder.path), path)
      }
    }
  }

  @Test func aFolderThatIsNoPackageAllowsNothing() throws {
    try withOutside {
      for package in ["/", outside, folder.path + "/..", "", "."] {
        let path = outside + "/secret.db"
        try expectNothingCaptured(try report(opened: path, package: package), path)
      }
    }
  }

  @Test func whatLiesBesideADatabaseIsNotReadThroughALink() throws {
    try withOutside {
      _ = try folder.database("app.db", "CREATE TABLE t(a);")
      for suffix in ["-wal", "-journal"] {
        try link("app.db" + suffix, to: outside + "/secret.db")
        try expectNothingCaptured(
          try report(opened: folder.path + "/app.db", package: folder.path), folder.path + "/app.db")
        try FileSystem.remove(folder.path + "/app.db" + suffix)
      }
    }
  }

  @Test func nothingIsWrittenThroughALinkOfTheRun() throws {
    _ = try folder.database("app.db", "CREATE TABLE t(a);")
    try withOutside {
      for name in ["evidence", "postmortem"] {
        try FileSystem.createFolder(outside + "/target")
        try link("test-artifacts/runs/r/" + name, to: outside + "/target")
        let result = try report(opened: folder.path + "/app.db", package: folder.path)
        #expect(result.status == 0, "\(result.errors)")
        #expect(try FileSystem.entries(of: outside + "/target").isEmpty, "\(name)")
        #expect(folder.files.contains("test-artifacts/report/evidence/M.Store.testDies/app.sqlite"))
        try FileSystem.remove(run.path + "/" + name)
        try FileSystem.remove(run.evidenceFolder)
      }
    }
  }
}

import Collector
import ExhibitSQLite
import ExhibitSystem
public import Foundation
public import Testing

/// A store that an old version of the app wrote.
public struct MigrationFixture: Sendable, Hashable, CustomStringConvertible, CustomTestStringConvertible {
  /// The version in the file's name.
  public let version: StoreVersion
  /// The file's name.
  public let name: String
  let folder: String
  let all: [String]

  /// The fixture's file; do not open it, but copy it.
  public var url: URL { URL(fileURLWithPath: path) }

  /// The version, which names a test case.
  public var description: String { version.description }
  /// The version, which names a test case.
  public var testDescription: String { version.description }

  var path: String { folder + "/" + name }

  /// Makes a copy for this test.
  ///
  /// It has the database, a `-wal` or `-journal` beside it, and Core Data's hidden folder of large values, in
  /// a temporary folder that is removed after the test. When the test fails, the report compares the database
  /// with the fixture.
  ///
  /// - Returns: The copied database.
  /// - Throws: `MigrationFixtureError` when the copy cannot be made, the fixture is no database, or the
  ///   `-wal` beside it belongs to another database.
  public func copy() throws(MigrationFixtureError) -> URL {
    let copy: StoreFolder
    do {
      copy = try StoreFolder(in: FileManager.default.temporaryDirectory)
      try fill(copy.path)
    } catch let error as MigrationFixtureError {
      throw error
    } catch {
      throw MigrationFixtureError(.copy, "\(path) cannot be copied: \(error)")
    }
    let copied = copy.path + "/" + name
    try check(copied, scratch: copy.path)
    record(copied)
    FixtureCopies.keep(copy)
    return URL(fileURLWithPath: copied)
  }

  private func fill(_ copy: String) throws {
    for suffix in [""] + SideFile.withRows.map(\.suffix)
    where FileSystem.targetStatus(path + suffix) != nil {
      _ = try FileCopy(from: path + suffix, to: copy + "/" + name + suffix)
      if suffix == SideFile.journal.suffix { try SuperJournal.settle(copy + "/" + name + suffix) }
    }
    let hidden = "." + url.deletingPathExtension().lastPathComponent + "_SUPPORT"
    guard FileSystem.targetStatus(folder + "/" + hidden) != nil else { return }
    try FileManager.default.copyItem(atPath: folder + "/" + hidden, toPath: copy + "/" + hidden)
  }

  private func check(_ copied: String, scratch: String) throws(MigrationFixtureError) {
    let limits = CaptureLimits(databaseBytes: .max)
    let result = DatabaseCapturer(image: .ownConnections, limits: limits).capture(
      .file(DatabaseFile(path: copied)), named: "check", into: scratch)
    defer { for file in result.files { try? FileSystem.remove(scratch + "/" + file.file) } }
    if result.files.contains(where: { $0.capture.wal == .foreign })
      || result.failures.contains(where: { $0.reason == .foreignWAL })
    {
      throw MigrationFixtureError(
        .foreignWAL,
        "The -wal beside \(path) belongs to another database, so a test of it would test that one. Remove \(name)-wal"
          + " and \(name)-shm, or make the fixture again.")
    }
    if let failure = result.failures.first { throw MigrationFixtureError(.notADatabase, failure.message) }
  }

  private func record(_ copied: String) {
    guard let recorder = Recorder.process else { return }
    let scope = TestScope.running
    scope?.state.withLock { $0.fixtures[copied] = path }
    let used = UsedFixture(
      folder: folder, file: name, version: version.description, listed: all, sameAs: twin)
    recorder.output.log(used, test: scope?.id)
  }

  private var twin: String? {
    let size = FileSystem.targetStatus(path)?.st_size
    return all.first { other in
      other != name && FileSystem.targetStatus(folder + "/" + other)?.st_size == size
        && FileManager.default.contentsEqual(atPath: path, andPath: folder + "/" + other)
    }
  }
}

enum FixtureCopies {
  private static let kept = Locked<[StoreFolder]>([])

  /// Keeps a folder until the running test ends, or else the process.
  static func keep(_ folder: StoreFolder) {
    if TestScope.running?.atEnd({ try? folder.remove() }) == true { return }  // it lies among temporary files
    let isFirst = kept.withLock { kept in
      kept.append(folder)
      return kept.count == 1
    }
    if isFirst { atexit { FixtureCopies.kept.withLock { $0.removeAll() } } }
  }
}

import Collector
import ExhibitCSQLite
import ExhibitSQLite
import ExhibitSystem
public import Foundation
import Testing
import XCTest

/// Fails the running test when a store on disk is not consistent.
///
/// A consistent store has a database, no database with another one's `-wal` or a hot journal beside it, and
/// `integrity_check` and `foreign_key_check` find nothing. They check a copy, so the store may be open and is
/// not changed. An inconsistent database becomes evidence.
///
/// It works in XCTest and in Swift Testing, and never throws.
///
/// ```swift
/// try migrate(store)
/// expectConsistentStore(at: store)
/// ```
///
/// - Parameters:
///   - url: A database file, or a folder with databases at any depth.
///   - fileID: Where the failure is reported, by default at the call; likewise the others.
///   - filePath: The file's path.
///   - line: The line in it.
///   - column: The column in it, which only Swift Testing shows.
/// - Returns: True when the store is consistent.
@discardableResult
public func expectConsistentStore(
  at url: URL, fileID: String = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: Int = #column
) -> Bool {
  let findings = storeFindings(at: url)
  guard !findings.isEmpty else { return true }
  let paths = Set(findings.map(\.path)).sorted()
  EvidenceRequests.process?.register(
    paths.map { .database(at: URL(fileURLWithPath: $0)) }, for: TestScope.running,
    caller: "expectConsistentStore")
  let message = "The store is not consistent. " + findings.map(\.description).joined(separator: "\n")
  if Test.current != nil {
    let place = SourceLocation(
      fileID: fileID, filePath: "\(filePath)", line: Int(line), column: column)
    Issue.record(Comment(rawValue: message), sourceLocation: place)
  } else {
    XCTFail(message, file: filePath, line: line)
  }
  return false
}

/// Finds what is wrong with a store on disk.
///
/// ```swift
/// let findings = storeFindings(at: storeFolder)
/// #expect(findings.allSatisfy { $0.kind == .hotJournal })
/// ```
///
/// - Parameter url: A database file, or a folder with databases at any depth.
/// - Returns: One finding for each problem; `unreadable` for a store that cannot be read.
public func storeFindings(at url: URL) -> [StoreFinding] {
  let path = url.standardizedFileURL.path(percentEncoded: false)
  do {
    let deadline = CaptureDeadline()
    let open = Recorder.process.map { recorder in
      OpenDatabases(recorder.connections, of: DatabaseSelection(test: nil, isAlone: false), until: deadline)
    }
    let databases = try StoreDatabases(at: path, open: open).paths
    guard !databases.isEmpty else {
      return [StoreFinding(kind: .unreadable, path: path, description: "\(path) holds no database.")]
    }
    let scratch = try StoreFolder(in: FileManager.default.temporaryDirectory)
    return databases.flatMap {
      StoreCheck(path: $0, scratch: scratch.path, open: open, deadline: deadline).findings
    }
  } catch {
    return [StoreFinding(kind: .unreadable, path: path, description: "\(error)")]
  }
}

private struct StoreDatabases {
  var paths: [String] = []
  private let open: OpenDatabases?

  init(at path: String, open: OpenDatabases?) throws {
    self.open = open
    guard let status = FileSystem.targetStatus(path) else {
      throw CaptureError(.missing, "There is nothing at \(path).")
    }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      paths = [path]
      return
    }
    for name in try FileManager.default.subpathsOfDirectory(atPath: path).sorted() {
      let file = path + (path.hasSuffix("/") ? "" : "/") + name
      if try isDatabase(file) { paths.append(file) }
    }
  }

  private func isDatabase(_ path: String) throws -> Bool {
    guard let status = FileSystem.targetStatus(path), status.st_mode & S_IFMT == S_IFREG else { return false }
    if SideFile(endOf: path.utf8) != nil { return false }
    return try open?.file(at: path) != nil || FileCopy.isDatabase(path)
      || SideFile.withRows.contains { FileSystem.targetStatus($0.path(beside: path)) != nil }
  }
}

private struct StoreCheck {
  var path: String
  var scratch: String
  var open: OpenDatabases?
  var deadline: CaptureDeadline

  var findings: [StoreFinding] {
    let capturer = DatabaseCapturer(
      image: .ownConnections, limits: CaptureLimits(databaseBytes: .max, wait: deadline.rest))
    let name = "check-\(UUID().uuidString)"
    let result = deadline.wait {
      capturer.capture(.file(open?.file(at: path) ?? DatabaseFile(path: path)), named: name, into: scratch)
    } copied: {
      $0.bytes
    }
    var findings: [StoreFinding] = []
    if let file = result.files.first(where: { $0.file == "\(name).sqlite" }) {
      findings += Self.states(of: file.capture).map { self.finding($0.0, $0.1) }
      findings += contents(of: "\(scratch)/\(file.file)")
    }
    return findings + result.failures.map { finding(for: $0) }
  }

  private func finding(for failure: CaptureError) -> StoreFinding {
    switch failure.reason {
    case .foreignWAL: finding(.foreignWAL, failure.message)
    case .hotJournal: finding(.hotJournal, failure.message)
    case .notADatabase: finding(.damaged, failure.message)
    default: finding(.unreadable, failure.message)
    }
  }

  private static func states(of capture: DatabaseCapture) -> [(StoreFinding.Kind, String)] {
    if capture.wal == .foreign {
      return [
        (
          .foreignWAL,
          "This -wal belongs to another database. \(capture.foreignWALReason ?? "") Whoever replaces a database file"
            + " has to empty and remove its -wal first; the product StoreMigration replaces what the file holds instead."
        )
      ]
    }
    // Only a dead process's database is read raw without a WAL.
    guard capture.method == .raw, capture.wal == .absent else { return [] }
    return [(.hotJournal, "A process died in a transaction, and its rollback journal waits to be applied.")]
  }

  private func contents(of copy: String) -> [StoreFinding] {
    do {
      let connection = try SQLiteConnection(
        path: copy, named: path, flags: SQLITE_OPEN_READONLY, image: .ownConnections)
      let handle = connection.handle
      let damage = try handle.text(
        "SELECT group_concat(integrity_check, '; ') FROM pragma_integrity_check(10)")
      guard damage == "ok" else { return [finding(.damaged, "integrity_check: \(damage ?? "nothing")")] }
      let orphans = try handle.text(
        "SELECT group_concat(\"table\" || ' row ' || ifnull(rowid, '?') || ' refers to no ' || parent, '; ') FROM"
          + " (SELECT * FROM pragma_foreign_key_check LIMIT 10)")
      return orphans.map { [finding(.foreignKey, "foreign_key_check: \($0)")] } ?? []
    } catch {
      return [finding(.damaged, "\(error)")]
    }
  }

  private func finding(_ kind: StoreFinding.Kind, _ message: String) -> StoreFinding {
    StoreFinding(kind: kind, path: path, description: "\(path): \(message)")
  }
}

extension DatabaseCapture {
  fileprivate var foreignWALReason: String? {
    note.flatMap { note in note.range(of: ". This is").map { String(note[..<$0.lowerBound]) + "." } ?? note }
  }
}

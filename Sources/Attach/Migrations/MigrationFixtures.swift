import Collector
import ExhibitSQLite
public import Foundation

/// Stores of old versions, one file each, for testing migrations.
///
/// Files are named after the version that wrote them: `Folio-1.3.sqlite`, `Folio-1.3.5.sqlite`. They are
/// listed by version and never changed. As arguments of a Swift Testing test:
///
/// ```swift
/// @Test(.attachOnFailure, arguments: try MigrationFixtures(in: folder))
/// func opens(_ fixture: MigrationFixture) throws {
///   let store = try Store(at: fixture.copy())
/// ```
///
/// and in a loop of an XCTest: `for fixture in try MigrationFixtures(in: folder) { … }`.
///
/// The report names fixtures that no test used, and tests that share one by mistake.
public struct MigrationFixtures: RandomAccessCollection, Sendable {
  private let fixtures: [MigrationFixture]

  /// Lists the databases of a folder.
  ///
  /// - Parameter folder: The fixtures' folder, without sub-folders.
  /// - Throws: `MigrationFixtureError` when the folder cannot be read or has no database, when a name has no
  ///   version or two have the same, and when a file named as a database is none.
  public init(in folder: URL) throws(MigrationFixtureError) {
    let path = folder.standardizedFileURL.path(percentEncoded: false)
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    } catch {
      throw MigrationFixtureError(.folder, "The fixtures in \(path) cannot be listed: \(error)")
    }
    var found: [(version: StoreVersion, name: String)] = []
    for name in names where try Self.isFixture(name, in: path) {
      guard let version = StoreVersion(inFileName: name) else {
        throw MigrationFixtureError(
          .noVersion, "\(path)/\(name): its name says no version; call it \(name)-1.0 or the like.")
      }
      if let other = found.first(where: { $0.version == version }) {
        throw MigrationFixtureError(
          .repeatedVersion, "\(path): \(other.name) and \(name) are both of version \(version).")
      }
      found.append((version, name))
    }
    guard !found.isEmpty else { throw MigrationFixtureError(.noFixtures, "\(path) holds no database.") }
    found.sort { $0.version < $1.version }
    let all = found.map(\.name)
    fixtures = found.map { MigrationFixture(version: $0.version, name: $0.name, folder: path, all: all) }
  }

  private static func isFixture(_ name: String, in folder: String) throws(MigrationFixtureError) -> Bool {
    if name.hasPrefix(".") || SideFile(endOf: name.utf8) != nil { return false }
    let isDatabase = Result { try FileCopy.isDatabase(folder + "/" + name) }
    if case .success(true) = isDatabase { return true }
    guard DatabaseEnding.find(in: name) != nil else { return false }
    if case .failure(let error) = isDatabase {
      throw MigrationFixtureError(.copy, "\(folder)/\(name) cannot be read: \(error)")
    }
    throw MigrationFixtureError(
      .notADatabase,
      "\(folder)/\(name) is no SQLite database.")
  }

  /// Finds the fixture of a version.
  ///
  /// - Parameter version: The version in the file's name; 1.3 and 1.3.0 are the same.
  /// - Throws: `MigrationFixtureError` when there is none.
  public func fixture(_ version: String) throws(MigrationFixtureError) -> MigrationFixture {
    if let version = StoreVersion(version), let found = fixtures.first(where: { $0.version == version }) {
      return found
    }
    let known = fixtures.map(\.version.description).joined(separator: ", ")
    throw MigrationFixtureError(
      .unknownVersion, "There is no fixture of version \(version), only of \(known).")
  }

  /// Always 0.
  public var startIndex: Int { fixtures.startIndex }
  /// The number of fixtures.
  public var endIndex: Int { fixtures.endIndex }
  /// The fixture at a place in the order of versions.
  public subscript(position: Int) -> MigrationFixture { fixtures[position] }
}

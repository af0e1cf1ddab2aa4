import Collector
import ExhibitCSQLite
import ExhibitSQLite
import Foundation
import Testing

/// The folder a test captures into, always under the name `library`.
struct EvidenceFolder {
  let path: String

  init(in folder: TemporaryFolder) throws {
    path = try folder.makeFolder("evidence")
  }

  func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

  /// Everything in it, hidden names too: what a failed capture left behind would show.
  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }

  func capture(
    _ source: DatabaseSource, limits: CaptureLimits = CaptureLimits(), image: SQLiteImage = .linked,
    keepsHistory: Bool = false
  ) -> DatabaseCaptureResult {
    DatabaseCapturer(image: image, limits: limits, keepsHistory: keepsHistory)
      .capture(source, named: "library", into: path)
  }

  /// Captures what must become exactly one file.
  func captureOne(_ source: DatabaseSource) throws -> DatabaseCapture {
    let result = capture(source)
    #expect(result.failures.isEmpty)
    #expect(result.files.map(\.file) == ["library.sqlite"])
    let file = try #require(result.files.first)
    #expect(file.bytes == bytes(of: self("library.sqlite"))?.count)
    return file.capture
  }

  /// Captures what cannot be, and sees that nothing lies around afterwards.
  func captureFailing(
    _ source: DatabaseSource, limits: CaptureLimits = CaptureLimits(), image: SQLiteImage = .linked
  ) throws -> CaptureError {
    let result = capture(source, limits: limits, image: image)
    #expect(result.files.isEmpty)
    #expect(try names == [])
    return try #require(result.failures.first)
  }

  /// Reads the captured file as anybody would: read-only.
  func read(_ sql: String, from name: String = "library.sqlite") throws -> String? {
    try SQLiteConnection(path: self(name), flags: SQLITE_OPEN_READONLY, image: .linked).handle.text(sql)
  }
}

import Foundation

extension TemporaryFolder {
  func copy(_ name: String, to other: String) throws {
    try FileManager.default.copyItem(atPath: self(name), toPath: self(other))
  }

  /// What a capture keeps beside the raw files: one file in rollback mode.
  func fold(_ name: String, to other: String) throws {
    for end in ["", "-wal"] { try copy(name + end, to: other + end) }
    try TestConnection(self(other)).execute("PRAGMA journal_mode = DELETE")
  }
}

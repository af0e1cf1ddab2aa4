import Foundation

/// What lies on disk of a database; -shm changes with every reader.
///
/// Another process reads the files: this one would lose its locks on them.
struct DatabaseFiles: Equatable {
  var checksums: String
  var databaseBytes: Int?
  var walBytes: Int?
  /// Everything in the folder.
  var names: [String]

  init(_ path: String) throws {
    checksums = try run("sha256sum", path, path + "-wal", path + "-journal").output
    databaseBytes = fileSize(path)
    walBytes = fileSize(path + "-wal")
    let folder = (path as NSString).deletingLastPathComponent
    names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }
}

/// The bytes of a file, or `nil` when there is none.
func bytes(of path: String) -> Data? {
  FileManager.default.contents(atPath: path)
}

/// The size of a file, or `nil` when there is none.
func fileSize(_ path: String) -> Int? {
  (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int
}

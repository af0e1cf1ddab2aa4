package import Collector
public import Foundation

/// The compression of a captured folder.
public enum DirectoryCompression: Sendable {
  /// A zip, which every system opens.
  case zip
  /// A tar with Zstandard, which is several times faster.
  case zstd

  var format: ArchiveFormat {
    switch self {
    case .zip: .zip
    case .zstd: .tarZstandard
    }
  }
}

/// Something to keep when a test fails.
///
/// ```swift
/// attachOnFailure(.database(at: url), .directory(at: folder, compression: .zstd))
/// ```
public struct Evidence: Sendable {
  enum Content: Sendable {
    case database(path: String)
    case connection(ConnectionReference)
    case directory(path: String, DirectoryCompression)
    case file(path: String)
    case data([UInt8], kind: EvidenceKind)
  }

  var content: Content
  var name: String

  init(_ content: Content, name: String) {
    self.content = content
    self.name = name
  }

  /// A SQLite database at the moment of failure, with its WAL folded in.
  ///
  /// A named database is captured wherever it is and whoever opened it.
  ///
  /// - Parameters:
  ///   - url: The database file; the bytes of any other file are kept as they are.
  ///   - name: The name in the report; by default the file's.
  public static func database(at url: URL, named name: String? = nil) -> Evidence {
    Evidence(.database(path: url.absolutePath), name: name ?? url.lastPathComponent)
  }

  /// The database behind an open SQLite connection, also one in memory.
  ///
  /// - Parameters:
  ///   - connection: An `sqlite3 *`; it is not used after its close.
  ///   - name: The name in the report; by default the file's name, `in-memory`, or `database` where
  ///     connections are not watched.
  public static func database(connection: OpaquePointer, named name: String? = nil) -> Evidence {
    let reference = reference(to: connection)
    return Evidence(.connection(reference), name: name ?? reference.defaultName)
  }

  /// - Parameter lending: Lends the connection where it cannot be used directly.
  package static func database(
    connection: OpaquePointer, named name: String?,
    lending: @escaping @Sendable (ContinuousClock.Instant, (OpaquePointer) -> Void) -> LiveConnection.Access
  ) -> Evidence {
    let reference = reference(to: connection, lending: lending)
    return Evidence(.connection(reference), name: name ?? reference.defaultName)
  }

  private static func reference(
    to connection: OpaquePointer, lending: ConnectionReference.Lending? = nil
  ) -> ConnectionReference {
    let registry = Recorder.process.flatMap { $0.settings.capture == .off ? nil : $0.connections }
    return ConnectionReference(
      connection, in: registry, opener: TestScope.running?.opener ?? .nobody, lending: lending)
  }

  /// A compressed folder with hidden files; databases inside are captured as databases.
  ///
  /// - Parameters:
  ///   - url: The folder. Links in it stay links; what is neither file, folder nor link is only listed.
  ///   - name: The name in the report; by default the folder's.
  ///   - compression: A zip opens everywhere; `.zstd` is for large folders.
  public static func directory(
    at url: URL, named name: String? = nil, compression: DirectoryCompression = .zip
  ) -> Evidence {
    Evidence(.directory(path: url.absolutePath, compression), name: name ?? url.lastPathComponent)
  }

  /// A file at the moment of failure.
  ///
  /// - Parameters:
  ///   - url: The file; a database is captured as a database.
  ///   - name: The name in the report; by default the file's.
  public static func file(at url: URL, named name: String? = nil) -> Evidence {
    Evidence(.file(path: url.absolutePath), name: name ?? url.lastPathComponent)
  }

  /// Bytes from the test.
  ///
  /// - Parameters:
  ///   - data: The bytes.
  ///   - name: The name in the report. Its extension tells the kind of data: images are shown.
  public static func data(_ data: Data, named name: String) -> Evidence {
    Evidence(.data(Array(data), kind: .data), name: name)
  }

  /// A text from the test, such as a response; the report shows it.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - name: The name in the report, such as `response.json`.
  public static func text(_ text: String, named name: String) -> Evidence {
    Evidence(.data(Array(text.utf8), kind: .text), name: name)
  }
}

extension URL {
  /// Stays valid when the test changes its working folder.
  fileprivate var absolutePath: String {
    var path = standardizedFileURL.path(percentEncoded: false)
    while path.utf8.count > 1 && path.hasSuffix("/") { path.removeLast() }
    return path
  }
}

extension Evidence {
  var kind: EvidenceKind {
    switch content {
    case .database, .connection: .database
    case .directory: .directory
    case .file: .file
    case .data(_, let kind): kind
    }
  }

  var source: String? {
    switch content {
    case .database(let path), .directory(let path, _), .file(let path): path
    case .connection, .data: nil
    }
  }
}

package import Collector
public import Foundation

/// How a captured folder is compressed.
public enum DirectoryCompression: Sendable {
  /// A zip, which opens everywhere.
  case zip
  /// A tar with Zstandard, several times faster.
  case zstd

  var format: ArchiveFormat {
    switch self {
    case .zip: .zip
    case .zstd: .tarZstandard
    }
  }
}

/// Something that is worth keeping when a test fails.
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
  /// What the report calls it.
  var name: String

  init(_ content: Content, name: String) {
    self.content = content
    self.name = name
  }

  /// A SQLite database, captured as it is at the moment of failure, with its WAL folded in.
  ///
  /// Naming a database registers it: it is captured wherever it lies and whoever opened it.
  ///
  /// - Parameters:
  ///   - url: The database file. What is no database is kept byte by byte, and named in the report.
  ///   - name: What the report calls it; by default the name of the file.
  public static func database(at url: URL, named name: String? = nil) -> Evidence {
    Evidence(.database(path: url.absolutePath), name: name ?? url.lastPathComponent)
  }

  /// The database behind an open SQLite connection, including an in-memory one.
  ///
  /// - Parameters:
  ///   - connection: An `sqlite3 *`; it is not used any more once it was closed.
  ///   - name: What the report calls it; by default the name of the file, `in-memory`, or `database` where
  ///     connections are not watched.
  public static func database(connection: OpaquePointer, named name: String? = nil) -> Evidence {
    let reference = reference(to: connection)
    return Evidence(.connection(reference), name: name ?? reference.defaultName)
  }

  /// The database behind an open connection that is lent in its owner's own way when it cannot be used directly.
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

  /// A folder with everything in it, hidden files included, compressed; databases inside are captured as such.
  ///
  /// - Parameters:
  ///   - url: The folder. Links in it are kept as links, and what is neither file, folder nor link is listed only.
  ///   - name: What the report calls it; by default the name of the folder.
  ///   - compression: What it becomes: a zip opens everywhere, `.zstd` is for large folders.
  public static func directory(
    at url: URL, named name: String? = nil, compression: DirectoryCompression = .zip
  ) -> Evidence {
    Evidence(.directory(path: url.absolutePath, compression), name: name ?? url.lastPathComponent)
  }

  /// One file as it is at the moment of failure.
  ///
  /// - Parameters:
  ///   - url: The file; a database is captured as one.
  ///   - name: What the report calls it; by default the name of the file.
  public static func file(at url: URL, named name: String? = nil) -> Evidence {
    Evidence(.file(path: url.absolutePath), name: name ?? url.lastPathComponent)
  }

  /// Bytes that the test has in hand.
  ///
  /// - Parameters:
  ///   - data: The bytes.
  ///   - name: What the report calls them. Its extension says what they are: images are shown.
  public static func data(_ data: Data, named name: String) -> Evidence {
    Evidence(.data(Array(data), kind: .data), name: name)
  }

  /// A text that the test has in hand, such as a response; the report shows it.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - name: What the report calls it, such as `response.json`.
  public static func text(_ text: String, named name: String) -> Evidence {
    Evidence(.data(Array(text.utf8), kind: .text), name: name)
  }
}

extension URL {
  /// The path without a slash at its end, absolute also after the test has changed its folder.
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

  /// The path of what is captured, where it has one.
  var source: String? {
    switch content {
    case .database(let path), .directory(let path, _), .file(let path): path
    case .connection, .data: nil
    }
  }
}

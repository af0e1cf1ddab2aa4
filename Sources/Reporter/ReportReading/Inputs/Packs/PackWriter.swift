package import Collector
import ExhibitSystem
import Foundation
import ReportModel

/// Packs runs into one tar.gz that has equal files once.
package struct PackWriter {
  package struct Content: Sendable, Equatable {
    package var files = 0
    package var bytes = 0
    package var repeated = 0
    package var packed = 0
  }

  package enum PackingError: Error, Equatable, CustomStringConvertible {
    case noCompression
    case changed(String)
    case tooLarge(String)

    package var description: String {
      switch self {
      case .noCompression: "The system has no zlib (libz.so.1), with which a pack is made."
      case .changed(let path): "\(path) changed while it was packed: pack a run when its tests have ended."
      case .tooLarge(let path): "\(path) is too large for a pack."
      }
    }
  }

  /// The first entry's name, by which packs are recognised.
  static let mark = "exhibit-pack"

  private let output: OutputFile
  private var names: ContentNames
  private var entries: [String: String] = [:]
  private var waiting: [UInt8] = []
  private(set) var content = Content()
  private static let pieceSize = 8 << 20

  package static func write(_ runs: [RunFolder], of artifacts: ArtifactsFolder, to path: String) throws
    -> Content
  {
    var writer = PackWriter(
      output: try OutputFile(creating: path), names: ContentNames(folder: artifacts.path))
    try writer.add(TarHeader(.file, mark, bytes: ArtifactsFormat.current.utf8.count))
    try writer.append(TarHeader.padded(Array(ArtifactsFormat.current.utf8)))
    for run in runs { try writer.add(run.path, as: "runs/\(run.name)") }
    try writer.append([UInt8](repeating: 0, count: 2 * TarHeader.size))
    try writer.flush()
    return writer.content
  }

  private mutating func add(_ folder: String, as name: String) throws {
    for entry in try FileSystem.entries(of: folder).sorted() where !entry.hasPrefix(".") {
      let (path, name) = ("\(folder)/\(entry)", "\(name)/\(entry)")
      guard let status = FileSystem.status(path) else { continue }
      switch status.st_mode & S_IFMT {
      case S_IFDIR: try add(path, as: name)
      case S_IFREG: try addFile(entry, in: folder, as: name)
      default: break
      }
    }
  }

  private mutating func addFile(_ entry: String, in folder: String, as name: String) throws {
    let path = "\(folder)/\(entry)"
    let file = try ContainedFile.open(ContainedPath(folder: folder, path: entry)).get()
    guard file.size <= TarHeader.largestFile else { throw PackingError.tooLarge(path) }
    content.files += 1
    content.bytes += file.size
    // A link's entry would be no smaller.
    if file.size > TarHeader.size {
      let known = try names.name(name, file).text
      if let target = entries[known] {
        content.repeated += 1
        return try add(TarHeader(.link, name, target: target))
      }
      entries[known] = name
    }
    try add(TarHeader(.file, name, bytes: file.size))
    var done = 0
    while done < file.size {
      let bytes = try file.bytes(at: done, count: min(1 << 20, file.size - done))
      guard !bytes.isEmpty else { throw PackingError.changed(path) }
      try append(bytes)
      done += bytes.count
    }
    try append([UInt8](repeating: 0, count: TarHeader.padding(behind: file.size)))
  }

  private mutating func add(_ header: TarHeader) throws {
    try append(header.overflow + header.block)
  }

  private mutating func append(_ bytes: [UInt8]) throws {
    waiting += bytes
    if waiting.count >= Self.pieceSize { try flush() }
  }

  private mutating func flush() throws {
    guard !waiting.isEmpty else { return }
    guard let packed = waiting.withUnsafeBufferPointer(gzip) else { throw PackingError.noCompression }
    try packed.withUnsafeBytes { try output.write($0) }
    content.packed += packed.count
    waiting.removeAll(keepingCapacity: true)
  }
}

package import Collector
package import ExhibitSystem
import Glibc

/// A run's file with a fixed name.
package protocol RunFile {
  static var name: String { get }
  /// What is unknown without it, as the end of a sentence.
  static var loss: String { get }
}

package enum RunFileError<File: RunFile>: Error, Equatable, CustomStringConvertible {
  case unopened(ContainedFile.OpeningError)
  case tooLarge
  case damaged
  /// It, or something in it, has a version of the format that is not read.
  case format(FormatRefusal)

  package var description: String {
    switch self {
    case .unopened(.missing): "\(File.name) is missing; \(File.loss)"
    case .unopened(.outside): "\(File.name) is \(ContainedFile.OpeningError.outsideMeaning); \(File.loss)"
    case .unopened(.unreadable(let error)): "Cannot read \(File.name): \(error.reason); \(File.loss)"
    case .tooLarge: "\(File.name) is too large; \(File.loss)"
    case .damaged: "\(File.name) cannot be read; \(File.loss)"
    case .format(let refusal): "\(File.name) cannot be used; \(File.loss) \(refusal)"
    }
  }
}

extension RunFile {
  package typealias ReadingError = RunFileError<Self>

  package static var mostBytes: Int { 64 << 20 }

  package static func write(_ bytes: [UInt8], to run: RunFolder) throws(SystemError) {
    let draft = "\(run.path)/.\(getpid())-\(name)"
    try FileSystem.remove(draft)
    try FileSystem.writeNewFile(draft, bytes)
    guard rename(draft, "\(run.path)/\(name)") == 0 else {
      let error = SystemError("replace", "\(run.path)/\(name)")
      unlink(draft)
      throw error
    }
  }

  /// Reads the JSON object of a file that says its format.
  ///
  /// - Parameter content: What it calls damaged in a later minor version is a matter of that version.
  package static func read<Content>(
    _ bytes: [UInt8], _ content: (JSONValue) throws(ReadingError) -> Content
  ) throws(ReadingError) -> Content {
    guard bytes.count <= mostBytes else { throw .tooLarge }
    guard let value = bytes.withUnsafeBufferPointer({ JSONValue($0) }), let format = value["format"]?.string
    else { throw .damaged }
    do throws(FormatRefusal) {
      try ArtifactsFormat.check(format)
    } catch {
      throw .format(error)
    }
    do throws(ReadingError) {
      return try content(value)
    } catch .damaged {
      throw ArtifactsFormat.laterMinor(format).map(ReadingError.format) ?? .damaged
    }
  }

  package static func contents(of run: RunFolder) throws(ReadingError) -> [UInt8] {
    let path = ContainedPath(folder: run.path, path: name)
    let file = try ContainedFile.open(path).mapError(ReadingError.unopened).get()
    guard file.size <= mostBytes else { throw .tooLarge }
    do throws(SystemError) {
      return try file.bytes(at: 0, count: file.size)
    } catch {
      throw .unopened(.unreadable(error))
    }
  }
}

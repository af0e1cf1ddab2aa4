package import Collector
import ExhibitSystem

/// A file that a run has by one name.
package protocol RunFile {
  static var name: String { get }
  /// What is not known without it, as the end of a sentence.
  static var loss: String { get }
}

/// Why a file of a run cannot be used.
package enum RunFileError<File: RunFile>: Error, Equatable, CustomStringConvertible {
  case missing
  /// A link, or no file.
  case outside
  case unreadable(reason: String)
  case tooLarge
  case damaged
  case newer(String)

  package var description: String {
    switch self {
    case .missing: "\(File.name) is missing; \(File.loss)"
    case .outside: "\(File.name) is \(ContainedFile.OpeningError.outsideMeaning); \(File.loss)"
    case .unreadable(let reason): "Cannot read \(File.name): \(reason); \(File.loss)"
    case .tooLarge: "\(File.name) is too large; \(File.loss)"
    case .damaged: "\(File.name) cannot be read; \(File.loss)"
    case .newer(let format):
      "\(File.name) has format \(format), newer than \(ArtifactsFormat.current), which this reporter reads; "
        + "update reporter."
    }
  }
}

extension RunFile {
  package typealias ReadingError = RunFileError<Self>

  /// What is read at most.
  package static var mostBytes: Int { 64 << 20 }

  /// Reads the file of a run that may be anybody's.
  package static func contents(of run: RunFolder) throws(ReadingError) -> [UInt8] {
    let path = ContainedPath(folder: run.path, path: name)
    switch ContainedFile.open(path) {
    case .success(let file):
      guard file.size <= mostBytes else { throw .tooLarge }
      do throws(SystemError) {
        return try file.bytes(at: 0, count: file.size)
      } catch {
        throw .unreadable(reason: error.reason)
      }
    case .failure(.missing): throw .missing
    case .failure(.outside): throw .outside
    case .failure(.unreadable(let error)): throw .unreadable(reason: error.reason)
    }
  }
}

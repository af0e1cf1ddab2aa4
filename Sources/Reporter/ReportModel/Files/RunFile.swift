package import Collector
import ExhibitSystem

/// A file that a run has by one name.
package protocol RunFile {
  static var name: String { get }
  /// Says what is not known without it, as the end of a sentence.
  static var loss: String { get }
}

/// The reason why a file of a run cannot be used.
package enum RunFileError<File: RunFile>: Error, Equatable, CustomStringConvertible {
  case unopened(ContainedFile.OpeningError)
  case tooLarge
  case damaged
  case newer(String)

  package var description: String {
    switch self {
    case .unopened(.missing): "\(File.name) is missing; \(File.loss)"
    case .unopened(.outside): "\(File.name) is \(ContainedFile.OpeningError.outsideMeaning); \(File.loss)"
    case .unopened(.unreadable(let error)): "Cannot read \(File.name): \(error.reason); \(File.loss)"
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

  /// The most bytes that are read.
  package static var mostBytes: Int { 64 << 20 }

  /// Reads the file of a run that may be anybody's.
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

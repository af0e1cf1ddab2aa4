package import Collector
import ExhibitSystem
import Foundation

extension RunManifest {
  /// Says why a manifest cannot be used.
  package enum ReadingError: Error, CustomStringConvertible {
    case missing
    /// It is a link or no file.
    case outside
    case unreadable(reason: String)
    case damaged
    case newer(String)

    package var description: String {
      let loss = "start, commit and package folder of the run are not known."
      return switch self {
      case .missing: "run.json is missing; \(loss)"
      case .outside: "run.json is \(ContainedFile.OpeningError.outsideMeaning); \(loss)"
      case .unreadable(let reason): "Cannot read run.json: \(reason); \(loss)"
      case .damaged: "run.json cannot be read; \(loss)"
      case .newer(let format):
        "The run has format \(format), newer than \(ArtifactsFormat.current), which this reporter reads; update "
          + "reporter."
      }
    }
  }

  /// Reads `run.json` of a run that may be anybody's.
  package init(of run: RunFolder) throws(ReadingError) {
    let bytes = try Self.bytes(of: run)
    do {
      self = try JSONDecoder().decode(RunManifest.self, from: bytes)
    } catch {
      throw .damaged
    }
    guard let format = ArtifactsFormat(format) else { throw .damaged }
    guard format.isReadable else { throw .newer(self.format) }
  }

  private static func bytes(of run: RunFolder) throws(ReadingError) -> Data {
    do {
      return try ContainedFile.open(ContainedPath(folder: run.path, path: "run.json")).get().contents()
    } catch ContainedFile.OpeningError.missing {
      throw .missing
    } catch ContainedFile.OpeningError.outside {
      throw .outside
    } catch ContainedFile.OpeningError.unreadable(let error) {
      throw .unreadable(reason: error.reason)
    } catch {
      throw .unreadable(reason: error.localizedDescription)
    }
  }
}

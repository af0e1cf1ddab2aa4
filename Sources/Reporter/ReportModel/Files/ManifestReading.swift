package import Collector
import Foundation

extension RunManifest: RunFile {
  package static let name = "run.json"
  package static let loss = "start, commit and package folder of the run are not known."

  /// Reads `run.json` of a run that may be anybody's.
  package init(of run: RunFolder) throws(ReadingError) {
    let bytes = try Self.contents(of: run)
    do {
      self = try JSONDecoder().decode(RunManifest.self, from: Data(bytes))
    } catch {
      throw .damaged
    }
    guard let format = ArtifactsFormat(format) else { throw .damaged }
    guard format.isReadable else { throw .newer(self.format) }
  }
}

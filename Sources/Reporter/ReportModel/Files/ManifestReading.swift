package import Collector
import Foundation

extension RunManifest: RunFile {
  package static let name = "run.json"
  package static let loss = "start, commit and package folder of the run are not known."

  package init(of run: RunFolder) throws(ReadingError) {
    let bytes = try Self.contents(of: run)
    self = try Self.read(bytes) { (_) throws(ReadingError) in
      do {
        return try JSONDecoder().decode(RunManifest.self, from: Data(bytes))
      } catch {
        throw .damaged
      }
    }
  }
}

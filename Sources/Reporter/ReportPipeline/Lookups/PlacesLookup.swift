import Collector
import ExhibitSystem
import Foundation
import ReportModel
import ReportPlaces

/// Finds function, file and line of stories' steps, and keeps them in the runs' folders.
struct PlacesLookup {
  let sourceRoot: SourceRoot
  let environment = ProcessInfo.processInfo.environment
  private(set) var remarks = Remarks()

  mutating func places(of tests: [TestResult], in folder: String, runs: [RunFolder]) -> CodePlaces {
    var addresses: Set<CodeAddress> = []
    for test in tests.detailed {
      for evidence in tests[test].evidence where evidence.kind == .story {
        guard let path = evidence.path else { continue }
        // The story's reader tells this.
        guard let story = FileManager.default.contents(atPath: folder + "/" + path) else { continue }
        addresses.formUnion(StoryStacks(ofStory: story).addresses)
      }
    }
    return places(of: addresses, runs: runs)
  }

  mutating func places(of addresses: Set<CodeAddress>, runs: [RunFolder]) -> CodePlaces {
    guard !addresses.isEmpty else { return CodePlaces() }
    var known = CodePlaces()
    for run in runs {
      do throws(PlacesFile.ReadingError) {
        known.add(try PlacesFile.read(of: run))
      } catch {
        if case .unopened(.missing) = error { continue }
        remarks.notice(.placesMissing, "\(error)", input: run.path)
      }
    }
    let missing = addresses.filter { known[$0] == nil }
    if !missing.isEmpty { known = asked(Array(missing), known, runs) }
    for file in known.files {
      if let problem = file.problem { remarks.notice(.placesMissing, problem) }
    }
    return known
  }

  private mutating func asked(_ addresses: [CodeAddress], _ known: CodePlaces, _ runs: [RunFolder])
    -> CodePlaces
  {
    let tools: SymbolTools
    do {
      tools = try SymbolTools(environment: environment)
    } catch {
      remarks.notice(.placesMissing, "\(error)")
      return known
    }
    let places = Symbolizer(tools: tools, root: sourceRoot, environment: environment)
      .places(of: addresses, known: known)
    // Each run keeps all; its stories say which it needs.
    for run in runs where places != known {
      do throws(SystemError) {
        try PlacesFile.write(places, to: run)
      } catch {
        remarks.notice(
          .placesMissing,
          "\(PlacesFile.name) was not kept, so that reports made elsewhere lack places. \(error)",
          input: run.path)
      }
    }
    return places
  }
}

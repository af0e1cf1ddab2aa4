import Collector
import Foundation
import ReportModel
import ReportPasses
import ReportPlaces
import ReportStory

/// The passes with which failed tests are compared.
struct PassesLookup {
  var folder = ""
  /// By test; the first is compared first.
  var passes: [TestCaseID: [PassedRun]] = [:]
  /// Passes of tests beside one without passes.
  var siblings: [TestCaseID: [PassedRun]] = [:]
  /// By the folder of their run.
  var places: [String: CodePlaces] = [:]

  /// - Parameter path: Names a database by its path.
  func candidates(_ passes: [PassedRun]?, path: @escaping (String) -> String) -> [PassCandidate] {
    (passes ?? []).map { pass in PassCandidate(origin: pass.origin) { told(pass, path: path) } }
  }

  /// `nil` where the story cannot be read.
  func told(_ pass: PassedRun, path: (String) -> String) -> ToldPass? {
    // Its problems were told before.
    guard let lines = try? pass.isPacked ? HistoryLookup.lines(of: pass.lines, in: folder) : pass.lines,
      let recorded = StoryFile(Data(lines)).story
    else { return nil }
    let builder = StoryBuilder(
      recorded, issues: [], schemas: [], inspections: [:], path: path,
      places: places[pass.folder] ?? CodePlaces())
    return ToldPass(
      origin: pass.origin, began: pass.began, told: builder.toldSteps(), varied: pass.varied)
  }

  /// Finds the places of the passes' addresses; those of a history have them.
  ///
  /// Another commit's code lies in the folder that the run's manifest names.
  mutating func findPlaces(_ root: SourceRoot) -> Remarks {
    var remarks = Remarks()
    let recorded = [passes, siblings].flatMap { $0.sorted { $0.key < $1.key } }.flatMap(\.value)
      .filter { !$0.origin.isHistory }
    for (folder, runs) in Dictionary(grouping: recorded, by: \.folder).sorted(by: { $0.key < $1.key }) {
      let run = RunFolder(path: folder)
      // Otherwise it is the report's own code.
      let package = runs.first?.origin.commit == nil ? nil : (try? RunManifest(of: run))?.package
      var lookup = PlacesLookup(sourceRoot: package.map { SourceRoot(path: $0) } ?? root)
      let addresses = runs.reduce(into: Set<CodeAddress>()) {
        $0.formUnion(StoryStacks(ofStory: Data($1.lines)).addresses)
      }
      places[folder] = lookup.places(of: addresses, runs: [run])
      remarks.append(lookup.remarks)
    }
    return remarks
  }

  mutating func merge(_ other: PassesLookup) {
    passes.merge(other.passes) { known, _ in known }
    places.merge(other.places) { known, _ in known }
  }
}

import Collector
import Foundation
import ReportModel
import ReportPasses
import ReportPlaces
import ReportStory

/// Tells the passes of failed tests as failed runs are told.
struct PassesLookup {
  /// The folder in which files may be made to unpack passes of a history.
  var folder = ""
  /// By test, the one to compare with first.
  var passes: [TestCaseID: [PassedRun]] = [:]
  /// By test without a pass, those of tests beside it.
  var siblings: [TestCaseID: [PassedRun]] = [:]
  /// The names of the addresses in their code, by the folder of their run.
  var places: [String: CodePlaces] = [:]

  /// Passes of a test, each told when it is needed.
  ///
  /// - Parameter path: Makes the name of a database from its path.
  func candidates(_ passes: [PassedRun]?, path: @escaping (String) -> String) -> [PassCandidate] {
    (passes ?? []).map { pass in PassCandidate(origin: pass.origin) { told(pass, path: path) } }
  }

  /// - Parameter path: Makes the name of a database from its path.
  /// - Returns: `nil` for one whose story cannot be read.
  func told(_ pass: PassedRun, path: (String) -> String) -> ToldPass? {
    // Who looked it up unpacked it before, and told what is the matter.
    guard let lines = try? pass.isPacked ? HistoryLookup.lines(of: pass.lines, in: folder) : pass.lines,
      let recorded = StoryFile(Data(lines)).story
    else { return nil }
    let builder = StoryBuilder(
      recorded, issues: [], schemas: [], inspections: [:], path: path,
      places: places[pass.folder] ?? CodePlaces())
    return ToldPass(
      origin: pass.origin, began: pass.began, told: builder.toldSteps(), varied: pass.varied)
  }

  /// Finds the places of the addresses that passes name.
  ///
  /// Passes of the history have their places, as nobody knows their code any more. The code of another commit
  /// is in its own folder, which the manifest of its run names.
  mutating func findPlaces(_ root: SourceRoot) -> Remarks {
    var remarks = Remarks()
    let recorded = [passes, siblings].flatMap { $0.sorted { $0.key < $1.key } }.flatMap(\.value)
      .filter { !$0.origin.isHistory }
    for (folder, runs) in Dictionary(grouping: recorded, by: \.folder).sorted(by: { $0.key < $1.key }) {
      let run = RunFolder(path: folder)
      // Without a manifest the sources are those of the report, as they are of the same code.
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

  /// Adds the passes of tests that have none.
  mutating func merge(_ other: PassesLookup) {
    passes.merge(other.passes) { known, _ in known }
    places.merge(other.places) { known, _ in known }
  }
}

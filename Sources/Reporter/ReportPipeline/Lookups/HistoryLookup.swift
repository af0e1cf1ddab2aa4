import Collector
import ExhibitSystem
import Foundation
package import ReportHistory
import ReportModel
import ReportPlaces
import ReportReading
import ReportRendering
import ReportStory

/// Asks a history how tests ended earlier, and adds a report's run to it.
package struct HistoryLookup: Sendable {
  let history: any HistoryStore
  private let isNamed: Bool
  private let adds: Bool
  let label: String?

  package init(history: any HistoryStore, isNamed: Bool, adds: Bool, label: String?) {
    (self.history, self.isNamed, self.adds, self.label) = (history, isNamed, adds, label)
  }

  private var isUsed: Bool { adds || isNamed || history.exists }

  /// The last commit on which tests passed on machines with this label.
  func lastPass(of tests: [TestCaseID], in folder: RunFolder) -> LastPass {
    guard let run = run(in: folder) else {
      return .none("When and where the run was is not known, so that no history says what passed last.")
    }
    do throws(HistoryError) {
      return try history.lastPass(of: tests, label: run.label)
    } catch {
      if error.problem == .locked {
        return .none(
          "The history \(history.name) is in use by another process, and does not tell what passed last.")
      }
      return .none("\(error)")
    }
  }

  /// Tests of which the history keeps no pass; all where it cannot be read.
  func withoutPass(_ tests: Set<TestCaseID>, in folder: RunFolder) -> Set<TestCaseID> {
    guard isUsed, let run = run(in: folder),
      let found = try? history.passes(of: tests.sorted(), label: run.label)
    else { return tests }
    return tests.subtracting(found.keys)
  }

  private func run(in folder: RunFolder) -> HistoryRun? {
    guard let manifest = try? RunManifest(of: folder) else { return nil }
    return HistoryRun(Report(title: "", runs: [Report.Run(manifest)], tests: []), label: label)
  }

  /// Asks git whether files were changed, where the manifest does not say.
  func complete(_ runs: inout [RunInputs]) {
    guard isUsed else { return }
    for index in runs.indices {
      guard let run = runs[index].run, run.isDirty == nil, let commit = run.commit,
        let package = runs[index].packageFolder, Checkout.commit(at: package) == commit
      else { continue }
      runs[index].run?.isDirty =
        Git(folder: package, environment: ProcessInfo.processInfo.environment).isDirty
    }
  }

  /// Without a run where the history is not used or cannot be read.
  typealias Answer = (pasts: [TestCaseID: TestPast], run: HistoryRun?)

  /// How a report's tests ended earlier; problems become remarks of the report.
  ///
  /// - Parameter keeping: Adds what passed; `nil` where no values may be kept.
  func answer(on report: inout Report, keeping: PassKeeping? = nil) -> Answer {
    guard isUsed else { return ([:], nil) }
    var remarks = Remarks()
    defer { report.add(remarks) }
    guard let run = HistoryRun(report, label: label) else {
      if adds || isNamed {
        remarks.notice(
          .historyUnused,
          "The history \(history.name) was neither read nor added to: it takes a report on one run, whose start is known."
        )
      }
      return ([:], nil)
    }
    var refusal: HistoryError?
    if adds, !report.tests.isEmpty {
      do throws(HistoryError) {
        var added = KeptRun(run: run, tests: report.tests)
        keeping?.add(report.tests, to: &added, self)
        tell(try history.add(added), &remarks)
      } catch {
        refusal = error
        remarks.fault(.historyNotWritten, "The run was not added to the history. \(error.whenAdding)")
      }
    }
    // Waiting again would tell the same.
    if refusal?.isWait == true { return ([:], nil) }
    do throws(HistoryError) {
      return (try history.past(of: report.tests, in: run), run)
    } catch {
      if error.isAbsence {
        if !adds {
          remarks.notice(.historyUnused, "\(error) The report tells of no earlier runs.")
        }
      } else if error != refusal {
        remarks.fault(.historyUnreadable, "The report tells of no earlier runs. \(error)")
      }
      return ([:], nil)
    }
  }

  private func tell(_ added: AddedRun?, _ remarks: inout Remarks) {
    guard let count = added?.passesWithoutRoom, count > 0 else { return }
    remarks.notice(
      .historyFull,
      "The history \(history.name) keeps the passes of \(counted(count, "test")) no longer, the oldest or largest: all of them "
        + "may take \(sizeText(HistoryLimits.passBytes)).")
  }

  func addTrends(to contents: inout ReportContents, _ answer: Answer) {
    guard let run = answer.run else { return }
    do throws(HistoryError) {
      if adds {
        try history.add(
          differences: contents.stories.compactMapValues { $0.comparison?.firstDifference }, of: run)
      }
      var trends = try history.trends()
      trends.note(contents.pasts, of: run)
      if !trends.runs.isEmpty { contents.trends = trends }
    } catch {
      var remarks = Remarks()
      remarks.fault(.historyUnreadable, "The report has no page of runs over time. \(error)")
      contents.report.add(remarks)
    }
  }

  /// Passes that the history keeps of failed tests, those with a label first.
  ///
  /// - Parameter folder: Takes files meanwhile.
  func earlierPasses(
    of tests: [TestCaseID], label: String, folder: String, changed: ChangesSincePass? = nil,
    _ remarks: inout Remarks
  ) -> PassesLookup {
    var changed = changed
    defer {
      if let problem = changed?.problem { remarks.notice(.changesUnknown, problem) }
    }
    var lookup = PassesLookup(folder: folder)
    guard isUsed, !tests.isEmpty else { return lookup }
    do throws(HistoryError) {
      let found = try history.passes(of: tests, label: label)
      let readable = found.sorted(by: { $0.key < $1.key }).map { test, passes in
        (test: test, passes: self.readable(passes, of: test, in: folder, &remarks))
      }
      // Git is asked only about passes that are compared first.
      for (_, passes) in readable { _ = passes.first.map { changes(since: $0.pass, &changed) } }
      for (test, passes) in readable where !passes.isEmpty {
        lookup.passes[test] = passes.map { passed($0.pass, lines: $0.lines, &changed) }
        for run in Set(passes.map(\.pass.run)).sorted() where lookup.places[code(ofRun: run)] == nil {
          lookup.places[code(ofRun: run)] = try places(ofRun: run, in: folder, &remarks)
        }
      }
    } catch {
      // Reading the tests' pasts tells what makes all of it unreadable.
      switch error.problem {
      case .damaged, .unreadable, .slow:
        remarks.fault(.passesUnreadable, "The last passes are not known. \(error)")
      default: break
      }
    }
    return lookup
  }

  /// Only the first, which is compared first, comes with its lines.
  private func readable(
    _ passes: [EarlierPass], of test: TestCaseID, in folder: String, _ remarks: inout Remarks
  ) -> [(pass: EarlierPass, lines: [UInt8]?)] {
    var readable: [(pass: EarlierPass, lines: [UInt8]?)] = []
    for pass in passes {
      guard let lines = lines(of: pass, of: test, in: folder, &remarks) else { continue }
      readable.append((pass, readable.isEmpty ? lines : nil))
    }
    return readable
  }

  private func lines(
    of pass: EarlierPass, of test: TestCaseID, in folder: String, _ remarks: inout Remarks
  ) -> [UInt8]? {
    let unread =
      "\(test): Its pass of \(dayText(pass.runBegan)) in the history \(history.name) cannot be read."
    do {
      let lines = try Self.lines(of: pass.packed, in: folder)
      // With a wrong first line nothing would be read of it.
      let head = StoryFile(Data(lines.prefix { $0 != UInt8(ascii: "\n") } + [UInt8(ascii: "\n")]))
      guard let problem = head.problems.first(where: \.isFault) else { return lines }
      remarks.fault(.passesUnreadable, "\(unread) \(problem.message)")
    } catch {
      remarks.fault(.passesUnreadable, "\(unread) \(error)")
    }
    return nil
  }

  private func passed(
    _ pass: EarlierPass, lines: [UInt8]?, _ changed: inout ChangesSincePass?
  ) -> PassedRun {
    let run = EarlierRun(
      commit: pass.commit, isDirty: pass.isDirty, date: pass.runBegan, label: pass.label,
      changes: changes(since: pass, &changed))
    var passed = PassedRun(
      origin: .history(run), began: pass.began, folder: code(ofRun: pass.run), lines: lines ?? pass.packed)
    (passed.isPacked, passed.varied) = (lines == nil, pass.varied)
    return passed
  }

  private func changes(since pass: EarlierPass, _ changed: inout ChangesSincePass?) -> [ChangedLines] {
    pass.commit.flatMap { changed?.changes(since: $0) } ?? []
  }

  /// Stands for the folder of a history's run.
  private func code(ofRun run: Int64) -> String { "\(history.name) \(run)" }

  private func places(ofRun run: Int64, in folder: String, _ remarks: inout Remarks) throws(HistoryError)
    -> CodePlaces
  {
    guard let packed = try history.places(ofRun: run) else { return CodePlaces() }
    do {
      return try PlacesFile.read(Self.unpacked(packed, in: folder))
    } catch {
      remarks.fault(
        .placesMissing, "The places of a run in the history \(history.name) cannot be read. \(error)")
      return CodePlaces()
    }
  }

  /// The lines of `story.jsonl` of a kept pass.
  static func lines(of packed: [UInt8], in folder: String) throws -> [UInt8] {
    let unpacked = try unpacked(packed, in: folder)
    return try unpacked.withUnsafeBytes { bytes in
      guard let entry = PassesFile.entries(in: bytes).entries.first else { throw PassesFile.Fault.notAPass }
      return try entry.lines(in: bytes, of: nil)
    }
  }

  /// - Throws: `SystemError` for what is no gzip file, or too large for a story.
  private static func unpacked(_ packed: [UInt8], in folder: String) throws -> [UInt8] {
    let scratch = try ScratchFolder(in: folder, prefix: ".history-")
    return try withExtendedLifetime(scratch) {
      let (from, to) = (scratch.path + "/pass.gz", scratch.path + "/pass")
      try FileSystem.writeNewFile(from, packed)
      try gunzip(InputFile(path: from), to: to, most: StoryFile.Limits().bytes)
      return [UInt8](try Data(contentsOf: URL(fileURLWithPath: to)))
    }
  }
}

import Collector
import ReportModel
import Testing

@testable import ReportReading
@testable import ReportTestSupport

/// What a run keeps of the commit that it was compared with, and what is read of it.
@Suite struct ComparedRunTests {
  private let folder: TemporaryFolder
  private var compared: ComparedRun { ComparedRun(of: RunFolder(path: folder("runs/r"))) }

  init() throws {
    folder = try TemporaryFolder()
    _ = try folder.makeFolder("runs/r")
  }

  private let commit = ComparedCommit(
    name: "main", hash: String(repeating: "a", count: 40), subject: "First", date: 1,
    changes: [
      ChangedLines(path: "A.swift", oldStart: 1, oldCount: 1, newStart: 1, newCount: 1, lines: ["-a", "+b"])
    ])

  @Test func whatIsWrittenIsRead() throws {
    try compared.write(ComparedCommit(name: "old", hash: "b", subject: "", date: 0, changes: []))
    try compared.write(commit)
    try compared.write(
      remarks: ["One.", "Two."],
      outcomes: [.store("test"): .passed, .store("other"): .failed, .store("left"): .skipped])
    let lookup = PassLookup(runs: [RunFolder(path: folder("runs/r"))])
    #expect(lookup.remarks.notices.map(\.message) == ["One.", "Two."])
    #expect(lookup.remarks.notices.map(\.kind) == ["notCompared", "notCompared"])
    #expect(
      lookup.compared(.store("test")) == ComparedOutcome(name: "main", commit: commit.hash, outcome: .passed))
    #expect(lookup.compared(.store("other"))?.hasPassed == false)
    // What did not run there is neither.
    #expect(lookup.compared(.store("left")) == nil && lookup.compared(.store("unknown")) == nil)
    var remarks = Remarks()
    #expect(compared.commit(&remarks) == commit && remarks == Remarks())
    #expect(lookup.passes(of: .store("test"), &remarks).isEmpty && remarks == Remarks())
  }

  @Test func outcomesOfAnUnknownCommitAreAFaultAndUnknownOutcomesAreLeftOut() throws {
    try folder.write(
      #"{"format":"1.4","remarks":[],"tests":[{"test":"\#(TestCaseID.store("a"))","outcome":"passed"},{"test":"b","outcome":"new"}]}"#,
      to: "runs/r/compared/compared.json")
    let run = RunFolder(path: folder("runs/r"))
    #expect(PassLookup(runs: [run]).remarks.faults.map(\.input) == ["r/compared/commit.json"])
    try compared.write(commit)
    let lookup = PassLookup(runs: [run])
    #expect(lookup.remarks == Remarks() && lookup.compared(.store("a"))?.hasPassed == true)
    // Nothing is known of a test that did not end there.
    try compared.write(remarks: [], outcomes: [.store("a"): .unfinished])
    #expect(PassLookup(runs: [run]).compared(.store("a")) == nil)
  }

  @Test func aRunThatWasNotComparedHasNothing() {
    #expect(PassLookup(runs: [RunFolder(path: folder("runs/r"))]).remarks == Remarks())
    var remarks = Remarks()
    #expect(compared.runs(&remarks).isEmpty && remarks == Remarks())
  }

  @Test func aFolderThatCannotBeListedIsAFault() throws {
    try folder.write("no folder", to: "runs/r/compared/runs")
    var remarks = Remarks()
    #expect(compared.runs(&remarks).isEmpty)
    #expect(remarks.faults.map(\.kind) == ["unreadableInput"])
  }

  @Test(arguments: ["", "{", "[]", "{\"name\":1}", "\u{0}"]) func whatIsDamagedIsAFault(text: String) throws {
    try folder.write(text, to: "runs/r/compared/commit.json")
    try folder.write(text, to: "runs/r/compared/compared.json")
    let remarks = PassLookup(runs: [RunFolder(path: folder("runs/r"))]).remarks
    #expect(remarks.faults.map(\.input) == ["r/compared/compared.json", "r/compared/commit.json"])
    #expect(remarks.notices.isEmpty)
  }
}

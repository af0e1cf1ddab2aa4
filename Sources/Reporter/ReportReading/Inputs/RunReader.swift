package import Collector
import ExhibitSystem
import Foundation
import ReportModel

/// Reads the folder of a run: its manifest, its logs and the `inputs/` of `reporter test`.
enum RunReader {
  /// - Parameter recovered: The remains of the run's processes that died.
  /// - Returns: The run itself, then each round of tests that ran again.
  static func read(_ found: FoundInput, recovered: RecoveredRun) -> [RunInputs] {
    var run = head(of: found)
    run.temporary =
      recovered.logs.values.flatMap(\.parts).compactMap(\.temporary) + [found.unpacked].compactMap { $0 }
    // A run without logs has no such folder.
    var listing = Remarks()
    let logs = entries(of: "logs", in: found, mayBeMissing: true, &listing)
    let rounds = rounds(of: found, &run.remarks)
    return rounds.numbers.map { number in
      var inputs = number == 0 ? run : RunInputs(run.id)
      (inputs.round, inputs.name) = (number, found.name)
      let own = logs.filter { rounds.round(ofLog: $0) == number }
      if let logs = LogInput.read(
        own, of: found, listing: number == 0 ? listing : Remarks(), recovered: recovered)
      {
        inputs.add(logs, of: found.path)
      }
      read(rounds.folders(of: number), of: found, into: &inputs)
      return inputs
    }
  }

  /// Reads what the invocations of one round left.
  private static func read(_ folders: [String], of found: FoundInput, into run: inout RunInputs) {
    for folder in folders {
      // The files of several invocations cannot be compared with logs of all.
      let path = folders.count == 1 ? found.path : "\(found.path)/\(folder)"
      readInputs(folder, of: found, path, into: &run)
    }
    run.unended = folders.count - run.invocations.count
    if run.hasTargetRunners { run.limitOverwritten() }
    run.decideCrashes()
  }

  /// Reads the manifest.
  private static func head(of found: FoundInput) -> RunInputs {
    let folder = RunFolder(path: found.path)
    do throws(RunManifest.ReadingError) {
      let manifest = try RunManifest(of: folder)
      var run = RunInputs(RunID(name: manifest.run, folder: found.path), run: Report.Run(manifest))
      run.packageFolder = manifest.package
      run.folder = folder
      run.run?.shard = ShardRecord.read(found, &run.remarks)
      return run
    } catch {
      var run = RunInputs(RunID(name: folder.name, folder: found.path), run: Report.Run(name: folder.name))
      run.remarks.fault(.manifestDamaged, "\(error)", input: found.name)
      run.folder = folder
      return run
    }
  }

  /// The rounds of the folder `inputs`, and of `inputs-2` and so on where a run went on in further invocations.
  private static func rounds(of run: FoundInput, _ remarks: inout Remarks) -> RunRounds {
    func number(of name: String) -> Int? {
      name == "inputs" ? 1 : name.hasPrefix("inputs-") ? Int(name.dropFirst("inputs-".count)) : nil
    }
    let folders = entries(of: "", in: run, &remarks).compactMap { name in
      number(of: name).map { (name: name, number: $0) }
    }
    return RunRounds(folders.sorted { ($0.number, $0.name) < ($1.number, $1.name) }.map(\.name)) { folder in
      LoadedFile.value(
        InvocationRound.self, "\(folder)/\(InvocationRound.fileName)", of: (run.path, run.name),
        otherwise:
          "Which tests ran again is not known: the file cannot be read, so that the worst outcome of each counts.",
        &remarks)
    }
  }

  /// The names in a folder of a run, sorted; an unreadable folder is a fault.
  ///
  /// - Parameter mayBeMissing: True when a run need not have it.
  static func entries(
    of folder: String, in run: FoundInput, mayBeMissing: Bool = false, _ remarks: inout Remarks
  ) -> [String] {
    do throws(ContainedFile.OpeningError) {
      return try ContainedFile.entries(of: ContainedPath(folder: run.path, path: folder)).sorted()
    } catch {
      if error == .missing && mayBeMissing { return [] }
      let name = folder.isEmpty ? run.name : "\(run.name)/\(folder)"
      remarks.fault(.unreadableInput, "\(InputError(error, name: name))", input: name)
      return []
    }
  }

  private static func readInputs(
    _ folder: String, of found: FoundInput, _ invocation: String, into run: inout RunInputs
  ) {
    let attachments = ["\(found.path)/\(folder)/attachments"]
    for file in entries(of: folder, in: found, &run.remarks) {
      do throws(InputError) {
        try read("\(folder)/\(file)", of: found, invocation, attachments, into: &run)
      } catch {
        run.remarks.fault(.unreadableInput, "\(error)", input: "\(found.name)/\(folder)/\(file)")
      }
    }
    readStreams("\(folder)/streams", of: found, invocation, attachments, into: &run)
    noteUnclaimed("\(folder)/attachments", of: found, &run)
  }

  /// Reads a file of an invocation's inputs, if its name is known.
  private static func read(
    _ path: String, of found: FoundInput, _ invocation: String, _ attachments: [String],
    into run: inout RunInputs
  ) throws(InputError) {
    func file() throws(InputError) -> LoadedFile {
      try LoadedFile(name: "\(found.name)/\(path)", ContainedPath(folder: found.path, path: path))
    }
    switch path.split(separator: "/").last ?? "" {
    case "output.txt": run.outputs.append(SwiftTestOutput(try file()))
    case TestListing.fileName[...]: run.listings.append(TestListing(try file()))
    case SwiftTestInvocation.fileName[...]:
      if let ended = ended(in: try file(), &run.remarks) { run.invocations.append(ended) }
    case "events.jsonl":
      run.add(EventStreamInput.read(try file(), attachments: attachments), of: invocation)
    case let name where name.hasSuffix(".xml"): run.add(XUnitInput.read(try file()), of: invocation)
    default: break
    }
  }

  /// Reads the event streams of single test processes, which replace the one that they share.
  private static func readStreams(
    _ folder: String, of found: FoundInput, _ invocation: String, _ attachments: [String],
    into run: inout RunInputs
  ) {
    let shared = run.inputs.indices.filter {
      run.inputs[$0].kind == .eventStream && run.inputs[$0].invocation == invocation
    }
    let first = run.inputs.count
    for file in entries(of: folder, in: found, mayBeMissing: true, &run.remarks)
    where file.hasSuffix(".jsonl") {
      let name = "\(found.name)/\(folder)/\(file)"
      do throws(InputError) {
        let stream = try LoadedFile(name: name, ContainedPath(folder: found.path, path: "\(folder)/\(file)"))
        run.add(EventStreamInput.read(stream, attachments: attachments), of: invocation)
      } catch {
        run.remarks.fault(.unreadableInput, "\(error)", input: name)
      }
    }
    let modules = Set(run.inputs[first...].flatMap(\.observations).map(\.id.module))
    guard run.inputs.count > first else { return }
    for index in shared.reversed()
    where run.inputs[index].observations.allSatisfy({ modules.contains($0.id.module) }) {
      run.inputs.remove(at: index)
    }
  }

  /// Notes attachments without a test; only an event stream maps them to tests.
  private static func noteUnclaimed(_ attachments: String, of found: FoundInput, _ run: inout RunInputs) {
    // Without the folder nothing was attached.
    let files = Set(entries(of: attachments, in: found, mayBeMissing: true, &run.remarks))
    guard !files.isEmpty else { return }
    let (folder, name) = ("\(found.path)/\(attachments)", "\(found.name)/\(attachments)")
    let claimed = run.inputs.flatMap(\.observations).flatMap(\.observed).compactMap { evidence -> String? in
      guard case .file(let path) = evidence.content, path.folder == folder else { return nil }
      return path.path
    }
    let unclaimed = files.subtracting(claimed).sorted()
    guard !unclaimed.isEmpty else { return }
    run.remarks.notice(
      .unclaimedAttachment, "No event tells whose attachments these are: \(listed(unclaimed)).", input: name)
  }

  private static func ended(in file: LoadedFile, _ remarks: inout Remarks) -> SwiftTestInvocation? {
    do {
      return try JSONDecoder().decode(SwiftTestInvocation.self, from: file.bytes)
    } catch {
      remarks.fault(
        .unreadableInput, "It is unknown how swift test ended: the file cannot be read.", input: file.name)
      return nil
    }
  }
}

extension Report.Run {
  package init(_ manifest: RunManifest) {
    self.init(
      name: manifest.run, start: manifest.start, toolchain: manifest.toolchain, commit: manifest.commit,
      isDirty: manifest.dirty, branch: manifest.branch, link: manifest.link, job: manifest.job,
      host: manifest.host, label: manifest.label)
  }
}

package import Collector
import Foundation
import ReportModel

/// Reads a run's folder: manifest, logs, and the `inputs/` of `reporter test`.
struct RunReader {
  private let found: FoundInput
  private var run: RunInputs

  /// - Returns: The run itself, then its reruns of failed tests.
  static func read(_ found: FoundInput, recovered: RecoveredRun) -> [RunInputs] {
    var whole = RunReader(found: found, run: head(of: found))
    whole.run.temporary =
      recovered.logs.values.flatMap(\.parts).compactMap(\.temporary) + [found.unpacked].compactMap { $0 }
    var listing = Remarks()
    let logs = entries(of: "logs", in: found, mayBeMissing: true, &listing)
    let rounds = whole.rounds()
    return rounds.numbers.map { number in
      var reader = number == 0 ? whole : RunReader(found: found, run: RunInputs(whole.run.id))
      (reader.run.round, reader.run.name) = (number, found.name)
      let own = logs.filter { rounds.round(ofLog: $0) == number }
      if let logs = LogInput.read(
        own, of: found, listing: number == 0 ? listing : Remarks(), recovered: recovered)
      {
        reader.run.add(logs, of: found.path)
      }
      reader.read(rounds.folders(of: number))
      return reader.run
    }
  }

  private mutating func read(_ folders: [String]) {
    for folder in folders {
      // Each of several invocations has only some of the logs' tests.
      let path = folders.count == 1 ? found.path : "\(found.path)/\(folder)"
      readInputs(folder, of: path)
    }
    run.unended = folders.count - run.invocations.count
    if run.hasTargetRunners { run.limitOverwritten() }
    run.decideCrashes()
    run.addPrintedFailures()
  }

  private static func head(of found: FoundInput) -> RunInputs {
    let folder = RunFolder(path: found.path)
    var run = RunInputs(head: folder, named: found.name)
    run.folder = folder
    if run.packageFolder != nil { run.run?.shard = ShardRecord.read(found, &run.remarks) }
    return run
  }

  private mutating func rounds() -> RunRounds {
    func number(of name: String) -> Int? {
      name == "inputs" ? 1 : name.hasPrefix("inputs-") ? Int(name.dropFirst("inputs-".count)) : nil
    }
    let folders = Self.entries(of: "", in: found, &run.remarks).compactMap { name in
      number(of: name).map { (name: name, number: $0) }
    }
    return RunRounds(folders.sorted { ($0.number, $0.name) < ($1.number, $1.name) }.map(\.name)) { folder in
      LoadedFile.value(
        InvocationRound.self, "\(folder)/\(InvocationRound.fileName)", of: (found.path, found.name),
        otherwise:
          "Which tests ran again is not known: the file cannot be read, so that the worst outcome of each counts.",
        &run.remarks)
    }
  }

  private static func entries(
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

  private mutating func readInputs(_ folder: String, of invocation: String) {
    let attachments = ["\(found.path)/\(folder)/attachments"]
    for file in Self.entries(of: folder, in: found, &run.remarks) {
      do throws(InputError) {
        try read("\(folder)/\(file)", of: invocation, attachments)
      } catch {
        run.remarks.fault(.unreadableInput, "\(error)", input: "\(found.name)/\(folder)/\(file)")
      }
    }
    readStreams("\(folder)/streams", of: invocation, attachments)
    noteUnclaimed("\(folder)/attachments")
  }

  private mutating func read(_ path: String, of invocation: String, _ attachments: [String])
    throws(InputError)
  {
    switch path.split(separator: "/").last ?? "" {
    case "output.txt":
      let (tests, output) = ConsoleInput.read(try file(path))
      run.outputs.append(output)
      run.printed.append(tests)
    case TestListing.fileName[...]: run.listings.append(TestListing(try file(path)))
    case SwiftTestInvocation.fileName[...]:
      if let ended = ended(in: try file(path)) { run.invocations.append(ended) }
    case "events.jsonl":
      run.add(EventStreamInput.read(try file(path), attachments: attachments), of: invocation)
    case let name where name.hasSuffix(".xml"):
      let streams = run.inputs.filter { $0.kind == .eventStream && $0.invocation == invocation }
      let failures = streams.reduce(0) { $0 + $1.failureCount }
      run.add(XUnitInput.read(try file(path), streamedFailures: failures), of: invocation)
    default: break
    }
  }

  private func file(_ path: String) throws(InputError) -> LoadedFile {
    try LoadedFile(name: "\(found.name)/\(path)", ContainedPath(folder: found.path, path: path))
  }

  /// Reads single processes' event streams, which replace the shared one.
  private mutating func readStreams(_ folder: String, of invocation: String, _ attachments: [String]) {
    let shared = run.inputs.indices.filter {
      run.inputs[$0].kind == .eventStream && run.inputs[$0].invocation == invocation
    }
    let first = run.inputs.count
    for name in Self.entries(of: folder, in: found, mayBeMissing: true, &run.remarks)
    where name.hasSuffix(".jsonl") {
      do throws(InputError) {
        let stream = try file("\(folder)/\(name)")
        run.add(EventStreamInput.read(stream, attachments: attachments), of: invocation)
      } catch {
        run.remarks.fault(.unreadableInput, "\(error)", input: "\(found.name)/\(folder)/\(name)")
      }
    }
    let modules = Set(run.inputs[first...].flatMap(\.observations).map(\.id.module))
    guard run.inputs.count > first else { return }
    for index in shared.reversed()
    where run.inputs[index].observations.allSatisfy({ modules.contains($0.id.module) }) {
      run.inputs.remove(at: index)
    }
  }

  /// Notes attachments that no event stream gives to a test.
  private mutating func noteUnclaimed(_ attachments: String) {
    let files = Set(Self.entries(of: attachments, in: found, mayBeMissing: true, &run.remarks))
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

  private mutating func ended(in file: LoadedFile) -> SwiftTestInvocation? {
    do {
      return try file.value(SwiftTestInvocation.self)
    } catch {
      run.remarks.fault(
        error, loss: "It is unknown how swift test ended: the file cannot be read.", input: file.name)
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

extension RunInputs {
  /// - Parameter name: The run's name in remarks.
  package init(head folder: RunFolder, named name: String) {
    do throws(RunManifest.ReadingError) {
      let manifest = try RunManifest(of: folder)
      self.init(RunID(name: manifest.run, folder: folder.path), run: Report.Run(manifest))
      packageFolder = manifest.package
    } catch {
      self.init(RunID(name: folder.name, folder: folder.path), run: Report.Run(name: folder.name))
      let kind: Remark.Kind = if case .format = error { .otherFormat } else { .manifestDamaged }
      remarks.fault(kind, "\(error)", input: name)
    }
  }
}

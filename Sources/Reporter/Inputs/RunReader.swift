import Collector
import ExhibitSystem
import Foundation

/// Reads the folder of a run: its manifest, its logs and what `reporter test` put into `inputs/`.
enum RunReader {
  /// Why a manifest cannot be used.
  enum ManifestError: Error, CustomStringConvertible {
    case missing
    case unreadable(InputError)
    case damaged
    case newer(String)

    var description: String {
      switch self {
      case .missing: "run.json is missing; start, commit and package folder of the run are not known."
      case .unreadable(let error): "\(error); start, commit and package folder of the run are not known."
      case .damaged: "run.json cannot be read; start, commit and package folder of the run are not known."
      case .newer(let format):
        "The run has format \(format), newer than \(ArtifactsFormat.current), which this reporter reads; update "
          + "reporter."
      }
    }
  }

  static func manifest(of run: RunFolder) throws(ManifestError) -> RunManifest {
    let bytes: Data
    do throws(InputError) {
      bytes = try InputFile(name: "run.json", ContainedPath(folder: run.path, path: "run.json")).bytes
    } catch .missing {
      throw .missing
    } catch {
      throw .unreadable(error)
    }
    let manifest: RunManifest
    do {
      manifest = try JSONDecoder().decode(RunManifest.self, from: bytes)
    } catch {
      throw .damaged
    }
    guard let format = ArtifactsFormat(manifest.format) else { throw .damaged }
    guard format.isReadable else { throw .newer(manifest.format) }
    return manifest
  }

  static func read(_ found: FoundInput, into set: inout InputSet) {
    let run = RunFolder(path: found.path)
    var package: String?
    do throws(ManifestError) {
      let manifest = try manifest(of: run)
      package = manifest.package
      set.runs.append(Report.Run(manifest))
      set.packageFolder = set.packageFolder ?? manifest.package
    } catch {
      set.findings.fault(.manifestDamaged, "\(error)", input: found.name)
      set.runs.append(Report.Run(name: run.name))
    }
    let (first, firstInvocation, firstOutput) = (set.inputs.count, set.invocations.count, set.outputs.count)
    let current = FileManager.default.currentDirectoryPath
    let mayBeRead = package.map { SourceRoot(ofRun: $0, current: current).mayBeRead } ?? false
    let postMortem = PostMortem(of: run, packageFolder: (mayBeRead ? package : nil) ?? run.path)
    if var logs = LogInput.read(found, postMortem: postMortem) {
      logs.tests.scope = found.name
      set.add(logs.tests)
      set.temporary += logs.temporary
    }
    let folders = inputFolders(of: found, &set.findings)
    for folder in folders {
      // What several invocations left cannot be compared with the logs of them all.
      readInputs(
        folder, of: found, scope: folders.count == 1 ? found.name : "\(found.name)/\(folder)", into: &set)
    }
    set.assignRun(from: first)
    set.applyBacktraces(from: first, outputs: firstOutput)
    let invocations = set.invocations.dropFirst(firstInvocation)
    if invocations.contains(where: { $0.signal != nil }) { set.markInterrupted(from: first) }
    set.applyOutputs(from: first, outputs: firstOutput)
  }

  /// `inputs`, and `inputs-2` and so on where `$EXHIBIT_RUN` joined several invocations.
  private static func inputFolders(of run: FoundInput, _ findings: inout Findings) -> [String] {
    entries(of: "", in: run, &findings).filter { name in
      name == "inputs" || name.hasPrefix("inputs-") && Int(name.dropFirst("inputs-".count)) != nil
    }
  }

  /// The names in a folder of a run, sorted; one that cannot be read is a fault.
  ///
  /// - Parameter mayBeMissing: Whether a run need not have it.
  static func entries(
    of folder: String, in run: FoundInput, mayBeMissing: Bool = false, _ findings: inout Findings
  ) -> [String] {
    do throws(ContainedFile.OpeningError) {
      return try ContainedFile.entries(of: ContainedPath(folder: run.path, path: folder)).sorted()
    } catch {
      if error == .missing && mayBeMissing { return [] }
      let name = folder.isEmpty ? run.name : "\(run.name)/\(folder)"
      findings.fault(.unreadableInput, "\(InputError(error, name: name))", input: name)
      return []
    }
  }

  private static func readInputs(
    _ folder: String, of found: FoundInput, scope: String, into set: inout InputSet
  ) {
    for file in entries(of: folder, in: found, &set.findings) {
      do throws(InputError) {
        try read("\(folder)/\(file)", of: found, scope: scope, into: &set)
      } catch {
        set.findings.fault(.unreadableInput, "\(error)", input: "\(found.name)/\(folder)/\(file)")
      }
    }
    noteUnclaimed("\(folder)/attachments", of: found, &set)
  }

  /// Reads a file of an invocation's inputs, if it is one of those that there are.
  private static func read(
    _ path: String, of found: FoundInput, scope: String, into set: inout InputSet
  ) throws(InputError) {
    func file() throws(InputError) -> InputFile {
      try InputFile(name: "\(found.name)/\(path)", ContainedPath(folder: found.path, path: path))
    }
    let folder = FileSystem.parentFolder(of: "\(found.path)/\(path)") ?? found.path
    switch path.split(separator: "/").last ?? "" {
    case "output.txt": set.readOutput(try file())
    case TestListing.fileName[...]: set.readListing(try file())
    case SwiftTestInvocation.fileName[...]:
      if let invocation = invocation(in: try file(), &set.findings) { set.invocations.append(invocation) }
    case "events.jsonl":
      set.readEvents(try file(), scope: scope, attachments: [folder + "/attachments"])
    case let name where name.hasSuffix(".xml"): set.readXUnit(try file(), scope: scope)
    default: break
    }
  }

  /// Attachments that no event stream maps to a test: the stream is the only map there is.
  private static func noteUnclaimed(_ attachments: String, of found: FoundInput, _ set: inout InputSet) {
    // Where there is no such folder nothing was attached.
    let files = Set(entries(of: attachments, in: found, mayBeMissing: true, &set.findings))
    guard !files.isEmpty else { return }
    let (folder, name) = ("\(found.path)/\(attachments)", "\(found.name)/\(attachments)")
    let claimed = set.inputs.flatMap(\.observations).flatMap(\.evidence).compactMap { evidence -> String? in
      guard case .file(let path) = evidence.content, path.folder == folder else { return nil }
      return path.path
    }
    let unclaimed = files.subtracting(claimed).sorted()
    guard !unclaimed.isEmpty else { return }
    let names = unclaimed.prefix(10).joined(separator: ", ")
    set.findings.notice(
      .unclaimedAttachment,
      "No event tells whose attachments these are: \(names)"
        + (unclaimed.count > 10 ? " and \(unclaimed.count - 10) more." : "."), input: name)
  }

  private static func invocation(in file: InputFile, _ findings: inout Findings) -> SwiftTestInvocation? {
    do {
      return try JSONDecoder().decode(SwiftTestInvocation.self, from: file.bytes)
    } catch {
      findings.fault(
        .unreadableInput, "It is unknown how swift test ended: the file cannot be read.", input: file.name)
      return nil
    }
  }
}

extension Report.Run {
  init(_ manifest: RunManifest) {
    self.init(
      name: manifest.run, start: manifest.start, toolchain: manifest.toolchain, commit: manifest.commit,
      link: manifest.link)
  }
}

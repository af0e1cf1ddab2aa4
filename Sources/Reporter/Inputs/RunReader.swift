import Collector
import Foundation

/// Reads the folder of a run: its manifest, its logs and what `reporter test` put into `inputs/`.
enum RunReader {
  /// Why a manifest cannot be used.
  enum ManifestError: Error, CustomStringConvertible {
    case missing
    case damaged
    case newer(String)

    var description: String {
      switch self {
      case .missing: "run.json is missing; start, commit and package folder of the run are not known."
      case .damaged: "run.json cannot be read; start, commit and package folder of the run are not known."
      case .newer(let format):
        "The run has format \(format), newer than \(ArtifactsFormat.current), which this reporter reads; update "
          + "reporter."
      }
    }
  }

  static func manifest(of run: RunFolder) throws(ManifestError) -> RunManifest {
    guard let bytes = FileManager.default.contents(atPath: run.manifestPath) else { throw .missing }
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
    let postMortem = PostMortem(of: run, packageFolder: package ?? run.path)
    if var logs = LogInput.read(run, name: found.name, postMortem: postMortem) {
      logs.tests.scope = found.name
      set.add(logs.tests)
      set.temporary += logs.temporary
    }
    let folders = inputFolders(of: run)
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
  private static func inputFolders(of run: RunFolder) -> [String] {
    // A run whose folder cannot be read has no inputs; its logs have said so.
    ((try? FileSystem.entries(of: run.path)) ?? []).sorted().filter { name in
      name == "inputs" || name.hasPrefix("inputs-") && Int(name.dropFirst("inputs-".count)) != nil
    }
  }

  private static func readInputs(
    _ folder: String, of found: FoundInput, scope: String, into set: inout InputSet
  ) {
    let (path, name) = ("\(found.path)/\(folder)", "\(found.name)/\(folder)")
    let invocation = invocation(in: path, name: name, &set.findings)
    if let invocation { set.invocations.append(invocation) }
    let attachments = [path + "/attachments"] + (invocation.map { [$0.attachments] } ?? [])
    // A folder that was removed meanwhile holds nothing.
    for file in ((try? FileSystem.entries(of: path)) ?? []).sorted() {
      if file == "output.txt" { set.readOutput(name: "\(name)/\(file)", path: "\(path)/\(file)") }
      if file == TestListing.fileName { set.readListing(name: "\(name)/\(file)", path: "\(path)/\(file)") }
      let form: FoundInput.Form? =
        file == "events.jsonl" ? .eventStream : file.hasSuffix(".xml") ? .xunit : nil
      guard let form else { continue }
      let input = FoundInput(form: form, name: "\(name)/\(file)", path: "\(path)/\(file)")
      set.readFile(input, scope: scope, attachments: attachments)
    }
    noteUnclaimed(attachments[0], name: "\(name)/attachments", &set)
  }

  /// Attachments that no event stream maps to a test: the stream is the only map there is.
  private static func noteUnclaimed(_ folder: String, name: String, _ set: inout InputSet) {
    // Where there is no such folder nothing was attached.
    let files = Set((try? FileSystem.entries(of: folder)) ?? [])
    guard !files.isEmpty else { return }
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

  private static func invocation(
    in folder: String, name: String, _ findings: inout Findings
  ) -> SwiftTestInvocation? {
    let path = folder + "/" + SwiftTestInvocation.fileName
    guard let bytes = FileManager.default.contents(atPath: path) else { return nil }
    do {
      return try JSONDecoder().decode(SwiftTestInvocation.self, from: bytes)
    } catch {
      findings.fault(
        .unreadableInput, "It is unknown how swift test ended: the file cannot be read.",
        input: "\(name)/\(SwiftTestInvocation.fileName)")
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

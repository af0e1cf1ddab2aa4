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
      case .newer(let format): "The run has format \(format), newer than this reporter; update reporter."
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
    do throws(ManifestError) {
      let manifest = try manifest(of: run)
      set.runs.append(Report.Run(manifest))
      set.packageFolder = set.packageFolder ?? manifest.package
    } catch {
      set.findings.fault(.manifestDamaged, "\(error)", input: found.name)
      set.runs.append(Report.Run(name: run.name))
    }
    if let logs = LogInput.read(run, name: found.name) { set.add(logs) }
    readInputs(of: run, name: found.name, into: &set)
  }

  private static func readInputs(of run: RunFolder, name: String, into set: inout InputSet) {
    let invocation = invocation(of: run, name: name, &set.findings)
    if let invocation { set.invocations.append(invocation) }
    // A run that `reporter test` did not start has no such folder.
    for file in ((try? FileSystem.entries(of: run.inputsFolder)) ?? []).sorted() {
      let path = run.inputsFolder + "/" + file
      let fileName = "\(name)/inputs/\(file)"
      switch file {
      case "events.jsonl":
        set.readFile(
          FoundInput(form: .eventStream, name: fileName, path: path),
          attachments: [run.inputsFolder + "/attachments"] + (invocation.map { [$0.attachments] } ?? []))
      case _ where file.hasSuffix(".xml"):
        set.readFile(FoundInput(form: .xunit, name: fileName, path: path), attachments: [])
      default: break
      }
    }
  }

  private static func invocation(
    of run: RunFolder, name: String, _ findings: inout Findings
  ) -> SwiftTestInvocation? {
    let path = run.inputsFolder + "/" + SwiftTestInvocation.fileName
    guard let bytes = FileManager.default.contents(atPath: path) else { return nil }
    do {
      return try JSONDecoder().decode(SwiftTestInvocation.self, from: bytes)
    } catch {
      findings.fault(
        .unreadableInput, "It is unknown how swift test ended: the file cannot be read.",
        input: "\(name)/inputs/\(SwiftTestInvocation.fileName)")
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

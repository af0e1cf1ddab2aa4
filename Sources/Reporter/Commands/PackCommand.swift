import ArgumentParser
import Collector
import ReportModel
import ReportPipeline
import ReportReading

struct PackCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pack",
    abstract: "Packs a run into one file, for a report that is made on another machine.",
    discussion: """
      Captures first what dead processes left, which only this machine can. Each content is in the file once, and all is \
      compressed.

      Examples:
        reporter test --shard 2/4; reporter pack --output shard-2.tar.gz
        reporter report --shards 4 shard-*.tar.gz

      Exit codes: 0 it is written; 64 usage; 66 there is no run; 73 it cannot be written.
      """)

  @Argument(help: "The artifacts folder (default: test-artifacts).")
  var artifacts: String?

  @OptionGroup var chosen: RunOptions

  @Option(
    help: "The file to write; one that is there is replaced (default: pack.tar.gz in the artifacts folder).")
  var output: String?

  func run() throws {
    let folder = artifacts.map { ArtifactsFolder(path: SourceRoot(path: $0).path) } ?? .current
    let target = SourceRoot(path: output ?? folder.path + "/pack.tar.gz").path
    let file = try Reporting.orExit(ReporterExit.cannotWrite) {
      try ReplacedFile(target, apart: [folder.runsFolder])
    }
    let runs = try runs(of: folder, spare: file.draft)
    let content = try Reporting.orExit(ReporterExit.cannotWrite, "The pack cannot be written. ") {
      try file.replace { try PackWriter.write(runs, of: folder, to: $0) }
    }
    try Reporting.write(sentence(content, runs.count, currentFolder.relative(target)) + "\n")
  }

  /// The chosen runs, with what could be captured of dead processes.
  private func runs(of folder: ArtifactsFolder, spare: String) throws -> [RunFolder] {
    let runs = try Reporting.orExit(ReporterExit.noInput) {
      try InputDiscovery(runs: chosen.choice).runs(
        of: folder, named: artifacts ?? currentFolder.relative(folder.path))
    }
    for run in runs { _ = PostMortem(of: run, current: currentFolder.path, spare: spare).recover() }
    return runs
  }

  private func sentence(_ content: PackWriter.Content, _ runs: Int, _ target: String) -> String {
    let repeated =
      content.repeated == 0
      ? "" : ", \(grouped(content.repeated)) of them there twice"
    return printedLine(
      "\(target): \(sizeText(content.packed)), of \(counted(runs, "run")) with \(counted(content.files, "file")), "
        + "\(sizeText(content.bytes))\(repeated).")
  }
}

import Foundation

@testable import ReportRendering

extension TemporaryFolder {
  /// Writes `report.html` with the evidence that lies in the folder.
  func writeSingleFile(_ contents: ReportContents, limit: Int = 25_000_000) throws {
    let context = PageContext(contents)
    let file = SingleFile(context: context, templates: try TemplateLibrary(), limit: limit) { path, limit in
      FileManager.default.contents(atPath: self.path + "/" + path)
        .flatMap { $0.count <= limit ? [UInt8]($0) : nil }
    }
    var bytes: [UInt8] = []
    try file.write { bytes += $0 }
    try write(bytes, to: SingleFile.path)
  }

  /// Writes the pages of a report.
  func write(_ contents: ReportContents) throws {
    for file in try renderPages(contents, templates: TemplateLibrary()) {
      try write(file.contents, to: file.path)
    }
  }
}

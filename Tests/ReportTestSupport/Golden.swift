import Collector
import Foundation
import Testing

@testable import ReportModel
@testable import ReportRendering
@testable import ReportStory

/// Files of `Tests/Fixtures/Outputs` that an output must equal byte by byte.
///
/// `EXHIBIT_RECORD=1 swift test --filter ReportRenderingTests` records them again.
enum Golden {
  static func expect(_ file: ReportFile, in folder: String, sourceLocation: SourceLocation = #_sourceLocation)
    throws
  {
    let url = URL(fileURLWithPath: "\(Fixture.folder)/Outputs/\(folder)/\(file.path)")
    if ProcessInfo.processInfo.environment["EXHIBIT_RECORD"] != nil {
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(file.contents).write(to: url)
    }
    let expected = String(decoding: try Data(contentsOf: url), as: UTF8.self)
    #expect(String(decoding: file.contents, as: UTF8.self) == expected, sourceLocation: sourceLocation)
  }
}

extension ReportDocument {
  /// That of a report for which nothing but stories was looked up.
  init(_ report: Report, stories: [TestCaseID: Story] = [:]) {
    var contents = ReportContents(report: report, nonce: "n")
    contents.stories = stories
    self.init(contents)
  }

  /// The whole file.
  func file() -> ReportFile {
    var contents: [UInt8] = []
    write { contents += $0 }
    return ReportFile(path: "report.json", contents: contents)
  }
}

extension JUnitDocument {
  /// The whole file.
  func file() -> ReportFile {
    var contents: [UInt8] = []
    write { contents += $0 }
    return ReportFile(path: "junit.xml", contents: contents)
  }
}

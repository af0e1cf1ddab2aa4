import Foundation
import Testing

@testable import ReportRendering
@testable import ReportTestSupport

/// The policy of each page names what the page uses, and nothing else.
@Suite struct PolicyTests {
  /// Pages of a report and what they can load, by what is in them.
  private func expectFittingPolicies(_ folder: TemporaryFolder) throws -> Set<String> {
    var found: Set<String> = []
    for path in folder.files where path.hasSuffix(".html") && !path.hasPrefix("evidence/") {
      let file = ReportFile(path: path, text: try folder.read(path))
      let tags = Markup(file).tags
      let policy = try #require(
        tags.first { $0.attributes["http-equiv"] == "Content-Security-Policy" }?.attributes["content"])
      let images = tags.filter { $0.name == "img" }.compactMap { $0.attributes["src"] }
      let showsRows = tags.contains { $0.attributes["data-rows"] != nil }
      let isSingle = path == SingleFile.path
      var sources: [String] = []
      if images.contains(where: { !$0.hasPrefix("data:") }) { sources.append("'self'") }
      if showsRows || images.contains(where: { $0.hasPrefix("data:") }) { sources.append("data:") }
      let hasBox = tags.contains { $0.attributes["data-viewer"] != nil }
      let expected =
        "default-src 'none'; script-src 'nonce-n'\(hasBox ? " 'wasm-unsafe-eval'" : ""); "
        + "style-src \(isSingle ? "'nonce-n'" : "'self'"); "
        + (sources.isEmpty ? "" : "img-src \(sources.joined(separator: " ")); ")
        + (path == "compare.html" ? "frame-src 'self'; " : "") + "base-uri 'none'; form-action 'none'"
      #expect(policy == expected, "\(path)")
      #expect(tags.contains { $0.name == "link" } == !isSingle)
      found.insert(policy)
    }
    return found
  }

  @Test func imagesAreAllowedWhereOneIsShown() throws {
    let folder = try TemporaryFolder()
    var report = try ordersReport()
    report.nonce = "n"
    try folder.write(report)
    for name in ["chart-reference.png", "chart-actual.png"] {
      let image = try Data(contentsOf: URL(fileURLWithPath: "\(Fixture.folder)/Browser/\(name)"))
      try folder.write(image, to: "evidence/Migration/\(name)")
    }
    try folder.writeSingleFile(report)
    let policies = try expectFittingPolicies(folder)
    #expect(policies.contains { $0.contains("img-src 'self';") }, "a page with an image beside it")
    #expect(policies.contains { $0.contains("img-src data:;") }, "the one file")
    #expect(policies.contains { !$0.contains("img-src") }, "pages without images")
  }

  @Test func valuesThatAreImagesAreAllowedWhereRowsAre() throws {
    var report = try RowsReport()
    try report.fail("orders", "CREATE TABLE t(a); INSERT INTO t VALUES (1);")
    try report.write()
    let policies = try expectFittingPolicies(report.folder)
    #expect(policies.contains { $0.contains("img-src data:;") })
  }

  @Test func aReportWithoutRowsNeedsNeitherImagesNorWebAssembly() throws {
    var run = try WrittenRun(message: "m")
    try run.database(before: "CREATE TABLE t(a);", changes: "INSERT INTO t VALUES (1);")
    let path = try run.report(["--no-rows", "--nonce", "n"])
    #expect(!run.folder.files.contains { $0.hasSuffix("data/values.js") })
    for name in try FileManager.default.contentsOfDirectory(atPath: path) where name.hasSuffix(".html") {
      let text = try run.folder.read("out/\(name)")
      #expect(!text.contains("img-src") && !text.contains("wasm-unsafe-eval"), "\(name)")
      #expect(!text.contains("data-values"), "\(name)")
    }
  }
}

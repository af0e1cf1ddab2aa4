import Collector
import Foundation

@testable import ReportInspection
@testable import ReportModel
@testable import ReportRendering

/// A report on failed tests with databases of their own, and the rows of these as the script reads them.
struct RowsReport {
  let folder: TemporaryFolder
  private(set) var contents: ReportContents

  init() throws {
    folder = try TemporaryFolder()
    contents = ReportContents(
      report: Report(title: "Shop", runs: [], tests: [], faults: [], notices: []), databases: [:],
      archives: [:], texts: [:], sources: [:], nonce: "n")
  }

  /// Adds a failed test with a database.
  mutating func fail(_ name: String, _ sql: String, baseline: String? = nil) throws {
    let path = "evidence/\(name)/shop.sqlite"
    _ = try folder.makeFolder("evidence/\(name)")
    try folder.database(path, sql)
    contents.databases[path] = inspectDatabase(at: folder(path), rows: true)
    var capture = DatabaseCapture(method: .readTransaction, wal: .committed, databaseBytes: 1, walBytes: 0)
    if let baseline {
      let before = "evidence/\(name)/before.sqlite"
      try folder.database(before, baseline)
      contents.databases[before] = inspectDatabase(at: folder(before), rows: true)
      contents.changes[path] = compareDatabases(folder(path), since: folder(before), rows: true)
      capture.baseline = before
    }
    contents.report.tests.append(
      TestResult(
        id: TestCaseID(module: "Shop", suite: ["Orders"], name: name), framework: .xctest, outcome: .failed,
        issues: [TestIssue(message: "\(name) failed", location: nil, severity: .error, isKnown: false)],
        evidence: [
          TestEvidence(
            kind: .database, name: "shop.sqlite", path: path, bytes: 1, source: "shop.sqlite",
            database: capture)
        ]))
  }

  /// Writes the report with rows.
  func write(_ limits: RowLimits = RowLimits()) throws {
    var context = PageContext(contents)
    let plan = RowPlan(context, folder: folder.path)
    context.contents.rowIDs = plan.ids
    let take: TakeFile = { [folder] file in try folder.write(file.contents, to: file.path) }
    try writeRows(plan, of: contents, in: folder.path, limits: limits, take: take)
    for task in pageTasks(context, templates: try TemplateLibrary(), take: take) { try task() }
  }

  /// Writes `report.html` with rows.
  ///
  /// - Returns: Its bytes.
  func writeSingleFile(limit: Int = 25_000_000) throws -> Int {
    var context = PageContext(contents)
    let plan = RowPlan(context, folder: folder.path)
    context.contents.rowIDs = plan.ids
    let file = SingleFile(
      context: context, templates: try TemplateLibrary(), limit: limit, source: { _, _ in nil },
      rows: EmbeddedRows.Source(plan: plan, folder: folder.path))
    var bytes: [UInt8] = []
    try file.write { bytes += $0 }
    try folder.write(bytes, to: SingleFile.path)
    return bytes.count
  }

  /// The databases that have rows.
  var ids: [String] {
    // Without any there is no folder.
    ((try? FileManager.default.contentsOfDirectory(atPath: folder("data/rows"))) ?? []).sorted()
  }

  /// Bytes of all files of rows, without the heads.
  func bytes() throws -> Int {
    try ids.flatMap { id in
      try FileManager.default.contentsOfDirectory(atPath: folder("data/rows/\(id)"))
        .filter { $0 != "head.js" }.map {
          try Data(contentsOf: URL(fileURLWithPath: folder("data/rows/\(id)/\($0)"))).count
        }
    }.reduce(0, +)
  }

  /// The tables of a database by name, as its head has them.
  func tables(_ id: String) throws -> [String: [String: Any]] {
    Dictionary(uniqueKeysWithValues: try tableList(id).map { ($0["name"] as? String ?? "", $0) })
  }

  private func tableList(_ id: String) throws -> [[String: Any]] {
    let head =
      try object(folder.read("data/rows/\(id)/head.js"), from: "exhibit.rows(\"\(id)\",") as? [String: Any]
    return head?["tables"] as? [[String: Any]] ?? []
  }

  /// All rows of a table that are here.
  func rows(_ id: String, _ name: String) throws -> [[Any]] {
    let tables = try tableList(id)
    guard let index = tables.firstIndex(where: { $0["name"] as? String == name }),
      let parts = tables[index]["parts"] as? [[Int]]
    else { return [] }
    return try parts.flatMap { part -> [[Any]] in
      let text = try folder.read("data/rows/\(id)/\(part[0]).js")
      let all = try object(text, from: "exhibit.rows(\"\(id)\",\(part[0]),") as? [[Any]] ?? []
      let rows = all.first { $0[0] as? Int == index && $0[1] as? Int == part[1] }
      return rows?[2] as? [[Any]] ?? []
    }
  }

  private func object(_ text: String, from prefix: String) throws -> Any {
    guard text.hasPrefix(prefix), text.hasSuffix(");\n") else { throw CocoaError(.coderReadCorrupt) }
    return try JSONSerialization.jsonObject(with: Data(text.dropFirst(prefix.count).dropLast(3).utf8))
  }
}

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
      report: Report(title: "Shop", runs: [], tests: [], faults: [], notices: []), nonce: "n")
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
            details: .database(capture))
        ]))
  }

  /// Writes the report with rows.
  func write(_ limits: ByteBudget = ByteBudget()) throws {
    var context = PageContext(contents)
    let plan = RowPlan(context, folder: folder.path)
    context.contents.rowIDs = plan.ids
    let take: TakeFile = { [folder] file in try folder.write(file.contents, to: file.path) }
    try writeRows(plan, of: contents, limits: limits, take: take)
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
      rows: plan)
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

  /// Bytes of the rows in all files, unpacked.
  func bytes() throws -> Int {
    try ids.flatMap { id in
      try FileManager.default.contentsOfDirectory(atPath: folder("data/rows/\(id)"))
        .filter { $0 != "head.js" }.map { try data(of: "data/rows/\(id)/\($0)", "rows").count }
    }.reduce(0, +)
  }

  private func data(of file: String, _ function: String) throws -> Data {
    try dataOfScript(folder.read(file), function)
  }

  /// The tables of a database by name, as its head has them.
  func tables(_ id: String) throws -> [String: [String: Any]] {
    Dictionary(uniqueKeysWithValues: try tableList(id).map { ($0["name"] as? String ?? "", $0) })
  }

  private func tableList(_ id: String) throws -> [[String: Any]] {
    let data = try dataOfScript(folder.read("data/rows/\(id)/head.js"), "rows", "\"\(id)\"")
    let head = try JSONSerialization.jsonObject(with: data) as? [String: Any]
    return head?["tables"] as? [[String: Any]] ?? []
  }

  /// All rows of a table that are here.
  func rows(_ id: String, _ name: String) throws -> [[Any]] {
    let tables = try tableList(id)
    guard let index = tables.firstIndex(where: { $0["name"] as? String == name }),
      let parts = tables[index]["parts"] as? [[Int]]
    else { return [] }
    return try parts.flatMap { part -> [[Any]] in
      let data = try dataOfScript(
        folder.read("data/rows/\(id)/\(part[0]).js"), "rows", "\"\(id)\",\(part[0])")
      let all = try JSONSerialization.jsonObject(with: data) as? [[Any]] ?? []
      let rows = all.first { $0[0] as? Int == index && $0[1] as? Int == part[1] }
      return rows?[2] as? [[Any]] ?? []
    }
  }
}

/// The data with which a file of the report calls a function, unpacked by `gzip` where it is packed.
func dataOfScript(_ text: String, _ function: String, _ arguments: String? = nil) throws -> Data {
  let packed = "exhibit.packed(\"\(function)\",["
  if text.hasPrefix(packed), text.hasSuffix("\");\n"), let end = text.range(of: "],\"") {
    let named = text[text.index(text.startIndex, offsetBy: packed.count)..<end.lowerBound]
    guard arguments == nil || arguments == String(named),
      let bytes = Data(base64Encoded: String(text[end.upperBound...].dropLast(4)))
    else { throw CocoaError(.coderReadCorrupt) }
    return try unpacked(bytes)
  }
  let plain = "exhibit.\(function)("
  guard text.hasPrefix(plain), text.hasSuffix(");\n") else { throw CocoaError(.coderReadCorrupt) }
  let rest = text.dropFirst(plain.count).dropLast(3)
  let beginning = arguments ?? String(rest.prefix { $0 != "[" && $0 != "{" }.dropLast())
  guard rest.hasPrefix(beginning) else { throw CocoaError(.coderReadCorrupt) }
  return Data(rest.dropFirst(beginning.isEmpty ? 0 : beginning.count + 1).utf8)
}

/// What a gzip file holds.
func unpacked(_ packed: Data) throws -> Data {
  let folder = try TemporaryFolder()
  try folder.write([UInt8](packed), to: "data.gz")
  _ = try run("gzip", "-d", folder("data.gz"))
  return try Data(contentsOf: URL(fileURLWithPath: folder("data")))
}

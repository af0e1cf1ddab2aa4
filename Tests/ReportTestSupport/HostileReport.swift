import ExhibitSQLite

@testable import Collector
@testable import ReportHistory
@testable import ReportInspection
@testable import ReportModel
@testable import ReportRendering

/// A report in which every text from outside is meant to break out of where it is shown.
func hostileReport() -> ReportContents {
  let path = "evidence/\"><img src=x onerror=alert(1)>/../a b#c?d.sqlite"
  let safePath = "evidence/\"><img onerror=alert(1)> it's#c?d%.sqlite"
  let tests = hostileTests(databasePath: safePath, escapingPath: path).sorted { $0.id < $1.id }
  var contents = ReportContents(
    report: Report(
      title: hostile,
      runs: [], tests: tests,
      faults: [Remark(kind: hostile, message: hostile + "\n\u{1B}[31mred\u{1B}[0m", input: hostile)],
      notices: [Remark(kind: "k", message: "~~~\n```\n# not a heading", input: nil)]),
    nonce: "fixed")
  // Not in the order of their starts, in which a report puts them.
  contents.report.runs = [
    .init(
      name: hostile, start: .infinity, toolchain: hostile, commit: hostile, link: "javascript:alert(1)"),
    .init(
      name: "second", start: nil, toolchain: nil, commit: nil,
      link: "https://\"><script>alert(1)</script>"),
    .init(
      name: "third", start: nil, toolchain: nil, commit: nil,
      link: "https://ci.example.org/1\"onclick=\"x"),
  ]
  contents.databases[safePath] = hostileDatabase
  contents.findings[safePath] = findings(of: hostile)
  contents.archives["evidence/a.zip"] = hostileArchive
  contents.texts["evidence/t.txt"] =
    "</pre><script>alert(1)</script>\n\u{0}\u{8}\u{1B}]0;title\u{7}"
  contents.sources[hostilePlace] = SourceExcerpt(
    firstLine: 1, lines: ["</code><script>", hostile], markedLine: 2)
  let run = HistoryRun(
    key: hostile, name: hostile, label: hostile, commit: hostile, isDirty: false, branch: hostile,
    address: hostile,
    began: 1)
  let outcomes = [Outcome.passed, .failed].map { PastOutcome(run: run, outcome: $0, message: hostile) }
  for test in tests { contents.pasts[test.id] = TestPast(outcomes: outcomes) }
  return contents
}

/// Markup, a quote hidden by a combining mark, escape sequences, marks that turn the direction, and line breaks.
private let hostile =
  "<script>alert(1)</script>\"\u{301}>'\u{301}<img src=x onerror=alert(1)> & &amp; "
  + "\u{202E}gpj.exe\u{202C} \u{2066}x\u{2069} \u{1B}[2J \u{7F}\u{85}\u{200B} `` ``` [a](javascript:x) @all #1 | a\nb\r\nc"

private let hostilePlace = SourceReference(file: "../../etc/<b>passwd\u{202E}", line: 2)

private func hostileTests(databasePath: String, escapingPath: String) -> [TestResult] {
  let long = String(repeating: "very long ", count: 400)
  let names = [
    "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "../../../etc/passwd", "con", "CON",
    hostile, long,
  ]
  var tests = names.map { name in
    TestResult(
      id: TestCaseID(
        module: "M</title>", suite: ["S\"'>", "../.."], name: name,
        argument: .init(ordinal: 1, description: hostile)),
      framework: nil, displayName: nil, outcome: .failed, duration: .nan, location: hostilePlace,
      issues: [TestIssue(message: name, location: hostilePlace, severity: .error, isKnown: false)])
  }
  tests[0].displayName = hostile
  tests[0].evidence = hostileEvidence(databasePath: databasePath, escapingPath: escapingPath)
  tests[0].issues.append(
    TestIssue(
      message:
        "XCTAssertEqual failed: (\"<b>\"\u{301}\u{202E}a\") is not equal to (\"<i>\"\u{301}a\") - <u>note</u>",
      location: nil, severity: .error, isKnown: false))
  tests[0].issues.append(
    TestIssue(
      message: "Expectation failed: (a → \"<b>\n</b>\") == (b → \"<b>\n<script>\")\n<u>comment</u>",
      location: nil,
      severity: .warning, isKnown: false))
  tests.append(
    TestResult(
      id: TestCaseID(module: "M</title>", suite: [], name: "skipped<b>"), framework: nil, outcome: .skipped,
      skipReason: hostile))
  return tests
}

private func hostileEvidence(databasePath: String, escapingPath: String) -> [TestEvidence] {
  [
    TestEvidence(
      kind: .database, name: hostile, path: databasePath, bytes: -1, source: hostile,
      details: .database(DatabaseCapture(method: .raw, view: .uncommitted, databaseBytes: 1))),
    TestEvidence(kind: .file, name: "escape", path: escapingPath, bytes: 1),
    TestEvidence(kind: .file, name: "absolute", path: "/etc/passwd", bytes: 1),
    TestEvidence(kind: .data, name: "scheme", path: "javascript:alert(1)", bytes: 1),
    TestEvidence(
      kind: .directory, name: "a", path: "evidence/a.zip", bytes: 2,
      details: .archive(DirectoryArchive(entries: 2, skipped: [.init(path: hostile, reason: hostile)]))),
    TestEvidence(kind: .text, name: "t", path: "evidence/t.txt", bytes: 3),
    TestEvidence(kind: .database, name: "gone\u{202E}", failure: hostile),
    TestEvidence(kind: .database, name: "nothing said"),
  ]
}

private let hostileDatabase = DatabaseInspection(
  pageSize: 4096, encoding: hostile, userVersion: -1, check: "*** in database main ***\n" + hostile,
  tables: [
    .init(
      name: hostile, sql: "CREATE TABLE \"</code><script>\" (a)",
      columns: ["\"><b>", hostile, "c", "d", "e"],
      rowCount: 1_234_567,
      rows: [
        [
          .text(hostile, whole: .init(bytes: 99999)), .null, .text("NULL"), .text(""),
          .real(-.infinity),
        ],
        [
          .integer(.min), .blob([0, 255, 16], of: 70000), .blob([], of: 0), .real(1e300),
          .text("\u{0}\u{1B}"),
        ],
      ], problem: hostile)
  ],
  otherSchema: [.init(type: "view", name: hostile, sql: nil), .init(type: "view", name: "v", sql: hostile)],
  problems: [hostile])

private let hostileArchive = ArchiveListing(
  entries: [
    .init(path: "../" + hostile, kind: .file, bytes: 1 << 40, target: nil),
    .init(path: "l", kind: .link, bytes: 0, target: "javascript:alert(1)" + hostile),
  ], omitted: 3, problems: [hostile])

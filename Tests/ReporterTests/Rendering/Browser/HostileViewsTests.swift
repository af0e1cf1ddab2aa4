import ExhibitSQLite
import Foundation
import Testing

@testable import ReportStory
@testable import ReportTestSupport

/// A failed test whose names, values and messages are all markup, in every view of its page in Chromium.
@Suite(
  .enabled(
    if: Browser.isAvailable,
    "needs Chromium and the Python packages playwright and axe-playwright-python, which ci/setup installs"))
struct HostileViewsTests {
  private static let markup =
    "</script><script>window.hacked = 1</script><!--]]><img src=x onerror=\"window.hacked = 2\">"
    + "<img src=https://example.org/a>\u{2028}\u{202E}"

  @Test func markupStaysTextInEveryView() async throws {
    var run = try WrittenRun(message: "XCTAssertEqual failed: (\"\(Self.markup)\") is not equal to (\"a\")")
    try run.database(before: Self.before, changes: Self.changes)
    let name = try json(Self.markup).dropFirst().dropLast()
    try run.story { story in
      story.baseline()
      story.step("UPDATE \\\"\(name)\\\" SET note = '\(name)' WHERE id = 1", changed: 1)
      story.change(
        .update, String(name), 1, old: "[1,\"a\",null]", new: "[1,\(try json(Self.markup)),null]")
      story.step("INSERT INTO __proto__ VALUES (2, 'javascript:window.hacked=3')", changed: 1)
      story.change(.insert, "__proto__", 2, new: "[2,\"javascript:window.hacked=3\"]")
      story.step("SELECT * FROM \\\"\(name)\\\"", error: String(name), code: 1)
    }
    try run.attach(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" onload=\"top.hacked=4\"><script>top.hacked=5</script></svg>",
      as: "drawing.svg")
    try run.attach("<script>top.hacked = 6</script>", as: "page.html")
    try await Browser.check("check-hostile-database", at: try run.report())
    // Its folder goes with its last use.
    withExtendedLifetime(run) {}
  }

  /// As an identifier in SQL.
  private static let name = "\"\(markup.replacing("\"", with: "\"\""))\""

  private static let before = """
    CREATE TABLE \(name)(id INTEGER PRIMARY KEY, note TEXT, \(name) BLOB);
    INSERT INTO \(name) VALUES (1, 'a', NULL), (2, CAST(x'ff3c623e' AS TEXT), '{"a":1.50,"a":12345678901234567890}'),
      (3, 'nul' || char(0) || '<b>', x'89504e470d0a1a0a'), (4, 'javascript:window.hacked=7', zeroblob(1000000)),
      (5, printf('%.*c', 1000000, '<'), printf('%.*c', 8000, '[') || printf('%.*c', 8000, ']'));
    CREATE TABLE __proto__(id INTEGER PRIMARY KEY, "hasOwnProperty" TEXT);
    INSERT INTO __proto__ VALUES (1, 'https://example.org/');
    CREATE TABLE child(id INTEGER PRIMARY KEY, "toString" REFERENCES __proto__, constructor REFERENCES \(name));
    INSERT INTO child VALUES (1, 1, 2), (2, 7, 7);
    CREATE VIEW "view of it" AS SELECT '\(markup)' AS \(name);
    CREATE TRIGGER "trigger" AFTER DELETE ON child BEGIN SELECT '\(markup)'; END;

    """

  private static let changes = """
    UPDATE \(name) SET note = '\(markup)' WHERE id = 1;
    INSERT INTO __proto__ VALUES (2, 'javascript:window.hacked=3');
    """

  private func json(_ text: String) throws -> String {
    String(
      decoding: try JSONSerialization.data(withJSONObject: text, options: .fragmentsAllowed), as: UTF8.self)
  }
}

import Collector
import ExhibitSQLite
import Foundation
import Testing

@testable import ReportModel
@testable import ReportRendering
@testable import ReportStory
@testable import ReportTestSupport

/// The story on the page of a failed test.
@Suite struct StoryPartTests {
  private func page(
    _ message: String = "XCTAssertEqual failed: (\"143\") is not equal to (\"95\")",
    evidence: [TestEvidence] = [],
    _ write: (inout WrittenStory) -> Void
  ) throws -> String {
    var written = WrittenStory()
    write(&written)
    return try page(try written.story(failing: [message], schemas: [.shop]), message, evidence)
  }

  private func page(_ story: Story?, _ message: String = "no", _ evidence: [TestEvidence] = []) throws
    -> String
  {
    let test = TestResult(
      id: .store("a"), outcome: .failed,
      issues: [TestIssue(message: message, location: nil, severity: .error, isKnown: false)],
      evidence: evidence)
    var contents = ReportContents(
      report: Report(title: "", runs: [], tests: [test], faults: [], notices: []), nonce: "n")
    contents.stories[test.id] = story
    let file = try #require(
      try renderPages(contents, templates: TemplateLibrary()).first { $0.path.hasPrefix("tests/") })
    return String(decoding: file.contents, as: UTF8.self)
  }

  /// Where texts stand, in the order in which they are expected.
  private func expectOrder(
    _ texts: [String], in page: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    var rest = page[...]
    for text in texts {
      guard let found = rest.firstRange(of: text) else {
        Issue.record("\(text) does not follow", sourceLocation: sourceLocation)
        return
      }
      rest = rest[found.upperBound...]
    }
  }

  @Test func whatFailedStandsBesideWhatTheTestDid() throws {
    let evidence = TestEvidence(
      kind: .database, name: "shop.sqlite", path: "evidence/a/shop.sqlite", bytes: 1)
    let page = try page(evidence: [evidence]) {
      $0.insert("orders", 1, #"[1,"new",null]"#)
      $0.issue(0)
    }
    expectOrder(
      [
        "class=\"parts facing\"", "What failed", "not equal", "What the test did", "+1 orders",
        "INSERT INTO orders",
        "The test failed here", "1 piece of evidence", "evidence/a/shop.sqlite</bdi></a>",
      ], in: page)
  }

  @Test func aChangedValueStandsBehindWhatItWas() throws {
    let page = try page {
      $0.step("UPDATE orders SET state = 'paid'", changed: 1)
      $0.change(.update, "orders", 7, old: #"[7,"new",null]"#, new: #"[7,"paid",null]"#)
    }
    #expect(page.contains("<del><bdi>new</bdi></del>") && page.contains("<ins><bdi>paid</bdi></ins>"))
    #expect(page.contains("<td class=\"number\"><bdi>7</bdi></td>"))
  }

  @Test func whatChangedFollowsTheKey() throws {
    let page = try page {
      $0.step("UPDATE orders SET placed_at = 'x'", changed: 1)
      $0.change(.update, "orders", 7, old: #"[7,"new",null]"#, new: #"[7,"new","x"]"#)
    }
    let headings = page.split(separator: "<th scope=\"col\">").dropFirst().compactMap {
      $0.split(separator: "</th>").first
    }
    #expect(headings.contains("<bdi>state</bdi>"))
    for (place, heading) in headings.enumerated() where heading == "<bdi>state</bdi>" {
      #expect(headings[place - 1] == "<bdi>placed_at</bdi>" && headings[place - 2] == "<bdi>id</bdi>")
    }
  }

  @Test func aUUIDIsShortAndThereToBeCopied() throws {
    let page = try page {
      $0.step("INSERT INTO orders VALUES (?)", changed: 1)
      $0.change(
        .insert, "orders", 7,
        new: #"[7,"115E5368-D205-4C82-8149-67AB00000001","115E5368-D205-4C82-8149-67AB0000000"]"#)
    }
    let parts = "115E53<span>68-D205-4C82-8149-67AB0000</span>0001"
    #expect(
      page.contains("<bdi class=\"uuid\" title=\"115E5368-D205-4C82-8149-67AB00000001\">\(parts)</bdi>"))
    #expect(page.contains("<bdi>115E5368-D205-4C82-8149-67AB0000000</bdi>"), "no UUID")
  }

  @Test func aLongHeadingCanBeFocused() throws {
    let name = "sum(orderLine.quantity * orderLine.price)"
    let page = try page {
      $0.step("SELECT 1", rows: 1, results: "[[1,2]]", columns: "[\"\(name)\",\"id\"]")
    }
    #expect(
      page.contains("<bdi title=\"\(name)\" tabindex=\"0\">\(name)</bdi>") && page.contains("<bdi>id</bdi>"))
  }

  @Test func aTriggersChangesStandBelowItsStatement() throws {
    let page = try page {
      $0.step("UPDATE orders SET state = 'paid'", changed: 1, triggers: ["log"])
      $0.change(.update, "orders", 7, old: #"[7,"new",null]"#, new: #"[7,"paid",null]"#)
      $0.change(.insert, "history", 1, new: #"[1,"said"]"#, depth: 1)
    }
    expectOrder(["class=\"steps\"", "UPDATE orders", "Trigger log", "history: 1 added", "said"], in: page)
  }

  @Test func whatWasRolledBackIsStruckOut() throws {
    let page = try page {
      $0.step("BEGIN")
      $0.insert("orders", 1, #"[1,"new",null]"#)
      $0.step("ROLLBACK")
    }
    expectOrder(
      [
        "Written last", "rolled back</span>", "Transaction, rolled back", "<s><code><bdi>INSERT",
        "rolled back</span>",
      ],
      in: page)
  }

  @Test func anOpenTransactionSaysSo() throws {
    let page = try page {
      $0.step("BEGIN")
      $0.insert("orders", 1, #"[1,"new",null]"#)
    }
    #expect(page.contains("Transaction, not committed"))
  }

  @Test func oddStepsAreNamedFirstAndMarkedWhereTheyStand() throws {
    let page = try page {
      $0.step("UPDATE orders SET state = 'paid' WHERE id = 9", changed: 0)
      $0.step("SELECT 1 FROM orders", rows: 0)
      $0.step("INSERT INTO orders VALUES (1)", changed: 0, error: "UNIQUE constraint failed: orders.id")
      $0.step("SELECT 1 FROM orders", rows: 1)
      // No run of it found anything, so that this is how it is.
      $0.step("SELECT 3 FROM orders", rows: 0)
      $0.step("SELECT 2", rows: 1)
    }
    #expect(!page.contains("Step 5</a> returned no row"))
    expectOrder(
      [
        "Failed</strong>", "aria-label=\"Odd steps\"",
        "#step-3\">Step 3</a> failed (UNIQUE constraint failed: orders.id), and the test went on",
        "#step-2\">Step 2</a> returned no row", "#step-1\">Step 1</a> changed no row",
        "id=\"step-1\"", "It changed no row.",
        "It failed, and the test went on.", "Error 2067: UNIQUE constraint failed: orders.id",
      ], in: page)
  }

  @Test(arguments: [(500, 2), (500, 60), (0, 4)])
  func whatAStatementMostlyDoesIsNotOdd(others: Int, odd: Int) throws {
    let page = try page {
      for key in 1...(odd + others) {
        $0.step("UPDATE orders SET state = ? WHERE id = ?", changed: key > odd ? 1 : 0, triggers: ["log"])
        if key > odd { $0.change(.update, "orders", key, old: "[\(key),1,2]", new: "[\(key),2,2]") }
      }
    }
    #expect(page.contains("aria-label=\"Odd steps\"") == (odd < 20))
    #expect(!page.contains("\(odd) more odd") && !page.contains("\(odd + others) odd"))
  }

  @Test func atMostThreeOddStepsAreNamedTheRareOnesFirst() throws {
    let page = try page {
      for key in 1...5 {
        for _ in 1...key { $0.step("UPDATE orders SET state = \(key) WHERE id = 9", changed: 0) }
      }
    }
    let list = try #require(
      page.components(separatedBy: "aria-label=\"Odd steps\"").last?.components(separatedBy: "</ul>").first)
    expectOrder(["state = 1", "state = 2", "state = 3", "Others are marked in"], in: list)
    #expect(!list.contains("state = 4"))
  }

  @Test func valuesOfTheMessageAreMarkedWhereTheyStand() throws {
    let page = try page {
      $0.step("SELECT sum(count) FROM stock", rows: 1, results: "[[143]]", columns: #"["units"]"#)
    }
    expectOrder(
      [
        "aria-label=\"Values of the message\"", "①", "143", "step 1, units in row 1 of the result",
        "<bdi>143</bdi><mark class=\"ref\"><span class=\"unseen\">value of the message </span>①</mark>",
      ], in: page)
  }

  @Test func aLineLeadsToItsFirstStepAmongRepeatedOnes() throws {
    var written = WrittenStory()
    for _ in 1...50 { written.step("PRAGMA user_version = 7") }
    written.issue(0)
    var story = try written.story()
    #expect(try !page(story).contains("id=\"step-1\""))
    story.lines = [TestLine(kind: .elsewhere, times: 1, steps: 50, first: 1, last: 50)]
    let page = try page(story)
    #expect(page.contains("<a href=\"#step-1\">50 steps</a>") && page.contains("id=\"step-1\""))
  }

  @Test func setUpAndWhatFollowsTheFailureAreFolded() throws {
    let page = try page {
      $0.step("CREATE TABLE first(a)")
      $0.baseline()
      $0.insert("orders", 1, #"[1,"new",null]"#)
      $0.issue(0)
      $0.step("SELECT 'later'", rows: 1)
    }
    expectOrder(
      [
        "<details class=\"aside\">", "Set-up, up to the baseline", "CREATE TABLE first", "INSERT INTO orders",
        "The test failed here", "<details class=\"aside\">", "After the failure", "SELECT &#39;later&#39;",
      ], in: page)
  }

  @Test func whatRepeatsItselfIsFolded() throws {
    let page = try page("no") {
      $0.step("BEGIN")
      for key in 1...900 { $0.insert("orders", key, "[\(key),\"new\",null]") }
      $0.step("COMMIT")
    }
    expectOrder(
      [
        "+900 orders", "<details class=\"repeat\">", "900 times", "900 rows changed", "The first time",
        // What has no line is counted.
        "898 steps between, 898 more times of the same, have no line here", "The last time",
      ],
      in: page)
    #expect(page.utf8.count < 40_000)
  }

  @Test func aRowUnlikeTheOthersIsNotHiddenBehindThem() throws {
    let page = try page {
      $0.step("UPDATE orders SET placed_at = 'x'", changed: 41)
      for key in 1...40 {
        let isOdd = key == 33
        $0.change(
          .update, "orders", key, old: "[\(key),\"new\",null]",
          new: "[\(key),\"\(isOdd ? "lost" : "new")\",\"x\"]")
      }
    }
    #expect(page.contains("<ins><bdi>lost</bdi></ins>"))
    #expect(page.contains("more rows of these kinds: see story.jsonl."))
  }

  @Test func ofManyStepsTheOddOnesAndTheLatestAreShown() throws {
    let page = try page {
      for number in 1...900 {
        let asked = number == 5 ? 1 : number
        $0.step("SELECT \(asked) FROM t\(asked)", rows: number == 5 ? 0 : 1)
        $0.step("PRAGMA p\(number)")
      }
    }
    #expect(page.contains("steps left out here: see story.jsonl."))
    #expect(
      page.contains("id=\"step-9\"") && page.contains("id=\"step-1800\"") && !page.contains("id=\"step-21\""))
    // The last of the others have a line each.
    #expect(page.contains("SELECT 700 FROM t700</bdi>") && page.contains("id=\"step-1399\""))
    #expect(page.contains("more statements, "))
  }

  @Test func stepsWithoutALineAreCountedByStatement() throws {
    let page = try page {
      for number in 1...900 {
        $0.step("SELECT a FROM orders WHERE id = ?", rows: number % 2)
        $0.step("SELECT \(number)", rows: 1)
      }
    }
    let told = page.components(separatedBy: "Steps without a line here, by statement").last ?? ""
    let first = told.components(separatedBy: "</li>").first ?? ""
    expectOrder(["SELECT a FROM orders WHERE id = ?", " times", "between steps 1 and ", " rows"], in: first)
    #expect(told.contains("<span>1 time</span> <span>step ") && !told.contains("1 times"))
    let times = try #require(
      Int(first.components(separatedBy: "came\"><span>").last?.prefix { $0.isNumber } ?? ""))
    #expect(times > 400)
  }

  @Test func whatIsMissingIsSaid() throws {
    var written = WrittenStory(missing: 12, more: #","withoutChanges":"This SQLite has no preupdate hook.""#)
    written.step("SELECT 1", rows: 1)
    let page = try page(written.story())
    #expect(page.contains("at least 12 steps before it are missing."))
    // The page has the Markdown to be copied, too.
    #expect(page.components(separatedBy: " missing").count == 3)
    #expect(page.contains("This SQLite has no preupdate hook."))
  }

  @Test func theMarkdownOfTheTestIsInItsPage() throws {
    var written = WrittenStory()
    written.insert("orders", 1, #"[1,"<b>&new</b>",null]"#)
    let story = try written.story(failing: ["no"], schemas: [.shop])
    let page = try page(story)
    let start = try #require(page.firstRange(of: "<template class=\"markdown\">")).upperBound
    let end = try #require(page.firstRange(of: "</template>")).lowerBound
    let test = TestResult(
      id: .store("a"), outcome: .failed,
      issues: [TestIssue(message: "no", location: nil, severity: .error, isKnown: false)])
    var contents = ReportContents(
      report: Report(title: "", runs: [], tests: [test], faults: [], notices: []), nonce: "n")
    contents.stories[test.id] = story
    let shown = ShownTest(test, contents).markdown(limit: ShownTest.usualBytes)
    #expect(shown.contains("<b>&new</b>"))
    let escaped = shown.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(
      ">", with: "&gt;"
    )
    .replacing("\"", with: "&quot;").replacing("'", with: "&#39;")
    #expect(page[start..<end] == escaped)
  }

  @Test func withoutAStoryItSaysWhatToDo() throws {
    let page = try page(Story([]))
    expectOrder(["Nothing is known of what the test did.", "EXHIBIT_TRACE=all"], in: page)
  }

  @Test func aTestWithoutADatabaseHasNoEmptyParts() throws {
    let page = try page(nil)
    #expect(!page.contains("What the test did") && !page.contains("evidence") && !page.contains("facing"))
  }

  @Test func textsFromOutsideAreEscaped() throws {
    let page = try page("<b>143</b>") {
      $0.step(
        "SELECT '<script>alert(1)</script>' AS x", rows: 1, results: #"[["<img src=x>"]]"#,
        columns: #"["<i>"]"#)
      $0.step("INSERT INTO t VALUES (1)", changed: 0, error: "</code><script>", triggers: ["<u>"])
      $0.change(.insert, "<table>", 1, new: #"["‮<hr>"]"#)
    }
    for hostile in ["<script>alert", "<img src=x", "<i>", "<u>", "<hr>", "</code><script>", "\u{202E}"] {
      #expect(!page.contains(hostile), "\(hostile)")
    }
  }
}

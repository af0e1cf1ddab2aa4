import Foundation
import ReportModel
import Testing

@testable import ReportReading

/// What is read of the output of `git diff`.
@Suite struct GitDiffTests {
  private func diff(_ text: String) -> GitDiff { GitDiff(Array(text.utf8)) }

  private let head = "diff --git a/A.swift b/A.swift\nindex 1..2 100644\n--- a/A.swift\n+++ b/A.swift\n"

  @Test func hunksHaveTheirLines() {
    let found = diff(head + "@@ -3,4 +3,5 @@ func f() {\n a\n-b\n+c\n+d\n e\n f\n@@ -20 +21,0 @@\n-x\n")
    #expect(
      found.hunks == [
        ChangedLines(
          path: "A.swift", oldStart: 3, oldCount: 4, newStart: 3, newCount: 5,
          lines: [" a", "-b", "+c", "+d", " e", " f"]),
        ChangedLines(path: "A.swift", oldStart: 20, oldCount: 1, newStart: 21, newCount: 0, lines: ["-x"]),
      ])
    #expect(!found.isCut)
  }

  @Test func changesNearEachOtherAreHunksOfTheirOwn() {
    let found = diff(head + "@@ -10,8 +10,9 @@\n a\n-b\n+c\n+d\n e\n f\n g\n h\n-i\n j\n+k\n")
    #expect(
      found.hunks == [
        ChangedLines(
          path: "A.swift", oldStart: 10, oldCount: 5, newStart: 10, newCount: 6,
          lines: [" a", "-b", "+c", "+d", " e", " f", " g"]),
        ChangedLines(
          path: "A.swift", oldStart: 13, oldCount: 5, newStart: 14, newCount: 4,
          lines: [" f", " g", " h", "-i", " j"]),
        ChangedLines(
          path: "A.swift", oldStart: 17, oldCount: 1, newStart: 17, newCount: 2, lines: [" j", "+k"]),
      ])
  }

  @Test func linesThatLookLikeHeadsAreLines() {
    let found = diff(
      head + "@@ -1,3 +1,3 @@\n--- a/Old.swift\n-@@ -1 +1 @@\n-diff --git a/x b/x\n+++ b/New\n+@@\n+diff\n")
    #expect(found.hunks.count == 1 && found.hunks.first?.path == "A.swift")
    #expect(found.hunks.first?.lines.count == 6)
  }

  @Test(arguments: [
    ("a/two words.swift\t", "two words.swift"), (#""a/\303\244 \"q\"\t\\.swift""#, "ä \"q\"\t\\.swift"),
    ("a/日本.swift", "日本.swift"), ("a/a/b/c.swift", "a/b/c.swift"), ("a/b.swift\r", "b.swift"),
  ]) func pathsAreAsGitWritesThem(written: String, path: String) {
    let other = written.replacing(/a\//, with: "b/", maxReplacements: 1)
    #expect(diff("--- \(written)\n+++ \(other)\n@@ -1 +1 @@\n-a\n+b\n").hunks.map(\.path) == [path])
  }

  @Test(arguments: [
    "a/../out.swift", "/etc/passwd", "a//x", #""a/x\000y""#, #""a/unended"#, #""a/bad\9""#, "x/A.swift", "a/",
    "",
  ]) func pathsThatLeadOutAreNone(written: String) {
    let other = written.replacing(/a\//, with: "b/", maxReplacements: 1)
    let found = diff("--- \(written)\n+++ \(other)\n@@ -1 +1 @@\n-a\n+b\n" + head + "@@ -1 +1 @@\n-a\n+b\n")
    #expect(found.hunks.map(\.path) == ["A.swift"])
  }

  @Test func newAndDeletedFilesHaveTheirPath() {
    let new = diff(
      "diff --git a/N b/N\nnew file mode 100644\n--- /dev/null\n+++ b/N\n@@ -0,0 +1,2 @@\n+a\n+b\n")
    #expect(new.hunks.map(\.path) == ["N"] && new.hunks[0].oldCount == 0)
    let old = diff(
      "diff --git a/O b/O\ndeleted file mode 100644\n--- a/O\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n")
    #expect(old.hunks.map(\.path) == ["O"] && old.hunks[0].newCount == 0)
  }

  @Test func filesWithoutHunksAreSkipped() {
    let found = diff(
      "diff --git a/m b/m\nold mode 100644\nnew mode 100755\ndiff --git a/i.png b/i.png\nindex 1..2\n"
        + "Binary files a/i.png and b/i.png differ\n" + head + "@@ -1 +1 @@\n-a\n+b\n")
    #expect(found.hunks.map(\.path) == ["A.swift"] && !found.isCut)
  }

  @Test func endsWithoutALineBreakAreNoLines() {
    let mark = "\\ No newline at end of file\n"
    let found = diff(head + "@@ -1,2 +1,2 @@\n a\n-b\n" + mark + "+c\n" + mark)
    #expect(found.hunks.map(\.lines) == [[" a", "-b", "+c"]])
  }

  @Test func carriageReturnsAndInvalidTextAreHarmless() {
    #expect(diff(head + "@@ -1 +1 @@\r\n-a\r\n+b\r\n").hunks.map(\.lines) == [["-a", "+b"]])
    let found = GitDiff(Array((head + "@@ -1 +1 @@\n-").utf8) + [0xff, 0xfe, 10] + Array("+b\n".utf8))
    #expect(found.hunks.first?.lines.first == "-\u{FFFD}\u{FFFD}")
  }

  @Test(arguments: [
    "@@ -1,99999999999999999999 +1 @@\n-a\n", "@@ -1,-5 +1 @@\n-a\n", "@@ -1,2,3 +1 @@\n-a\n",
    "@@ -x +1 @@\n-a\n",
    "@@ -1 +1\n-a\n", "@@ +1 -1 @@\n-a\n", "@@\n", "@@ -1,3 +1,3 @@\nno line of a hunk\n", "",
  ]) func brokenHeadsAreNoHunks(text: String) {
    #expect(diff(head + text).hunks.isEmpty)
  }

  @Test func whatIsCutOffIsSaid() {
    let found = diff(head + "@@ -1 +1 @@\n-a\n+b\n@@ -9,3 +9,3 @@\n a\n-b")
    #expect(found.hunks.count == 1 && found.isCut)
    let hunk = "@@ -1 +1 @@\n-a\n+b\n"
    let many = diff(head + String(repeating: hunk, count: GitDiff.mostHunks + 1))
    #expect(many.hunks.count == GitDiff.mostHunks && many.isCut)
    let line = "+" + String(repeating: "x", count: 5000) + "\n"
    let long = diff(
      head + String(repeating: "@@ -0,0 +1,10 @@\n" + String(repeating: line, count: 10), count: 60))
    #expect(long.isCut && long.hunks.count == 51)
    #expect(long.hunks.first?.lines.first?.utf8.count == GitDiff.longestLine + "…".utf8.count)
  }

  @Test func mutatedTextNeverHarms() {
    let text = Array((head + "@@ -1,3 +1,3 @@\n a\n-b\n+c\n d\n" + "--- \"a/\\303\\244\"\n").utf8)
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<2000 {
      var mutated = text
      for _ in 0..<4 {
        let index = Int.random(in: 0..<mutated.count, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: mutated[index] = UInt8.random(in: 0...255, using: &generator)
        case 1: mutated.remove(at: index)
        default: mutated.insert(UInt8.random(in: 0...255, using: &generator), at: index)
        }
      }
      for hunk in GitDiff(mutated).hunks { #expect(!hunk.path.isEmpty && !hunk.path.hasPrefix("/")) }
    }
  }
}

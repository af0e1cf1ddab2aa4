import Collector
import ExhibitSystem
import Foundation
import Testing

/// The commit of a checkout, told without starting git.
@Suite struct CheckoutTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func git(_ arguments: String...) throws -> String {
    let command = Command(
      ["git", "-C", folder.path, "-c", "user.name=a", "-c", "user.email=a@example.org"] + arguments,
      separatesErrors: true)
    return try command.run().output.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  @Test func theCommitIsWhatGitSays() throws {
    #expect(Checkout.commit(at: folder.path) == nil)
    _ = try git("init", "-q")
    _ = try git("commit", "-q", "--allow-empty", "-m", "first")
    let below = folder.path + "/a/b"
    try FileSystem.createFolder(below)
    #expect(Checkout.commit(at: below) == (try git("rev-parse", "HEAD")))
    _ = try git("pack-refs", "--all")
    #expect(Checkout.commit(at: below) == (try git("rev-parse", "HEAD")))
    _ = try git("checkout", "-q", "--detach")
    #expect(Checkout.commit(at: below) == (try git("rev-parse", "HEAD")))
    _ = try git("worktree", "add", "-q", folder.path + "/tree")
    #expect(Checkout.commit(at: folder.path + "/tree") == (try git("rev-parse", "HEAD")))
  }

  @Test func onlyWhatGitWritesIsAHash() throws {
    for length in [40, 64] { #expect(String(repeating: "0a", count: length / 2).isCommitHash) }
    for text in [
      "", "abc", String(repeating: "A", count: 40), String(repeating: "\u{FF11}", count: 40),
      String(repeating: "a", count: 41), "-" + String(repeating: "a", count: 39),
    ] {
      #expect(!text.isCommitHash, "\(text)")
    }
    _ = try git("init", "-q")
    try folder.write(String(repeating: "F", count: 40), to: ".git/HEAD")
    #expect(Checkout.commit(at: folder.path) == nil)
  }

  @Test func linksOfCIJobs() {
    let github = [
      "GITHUB_SERVER_URL": "https://example.org", "GITHUB_REPOSITORY": "o/r", "GITHUB_RUN_ID": "7",
    ]
    #expect(CIJob.link { github[$0] } == "https://example.org/o/r/actions/runs/7")
    #expect(CIJob.link { ["CI_JOB_URL": "https://example.org/job"][$0] } == "https://example.org/job")
    #expect(CIJob.link { _ in nil } == nil)
  }
}

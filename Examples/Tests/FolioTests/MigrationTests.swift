import Attach
import Folio
import Foundation
import GRDB
import Testing

/// A store of every released version is opened with today's schema.
@Suite struct MigrationTests {
  private static let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Fixtures")

  @Test(arguments: try MigrationFixtures(in: fixtures))
  func everyDocumentIsStillThere(_ fixture: MigrationFixture) throws {
    let copy = try fixture.copy()
    let before = try documents(in: copy)
    let store = try FolioStore(at: copy.path)
    let after = try store.documents()
    #expect(after == before, "documents of version \(fixture)")
    expectConsistentStore(at: copy)
  }

  @Test func tagsOfTheNewestVersionAreKept() throws {
    let copy = try MigrationFixtures(in: Self.fixtures).fixture("1.6").copy()
    let store = try FolioStore(at: copy.path)
    #expect(try store.titles(taggedAs: "travel") == ["Packing list", "Tickets", "Visa"])
  }

  private func documents(in store: URL) throws -> Int {
    let queue = try DatabaseQueue(path: store.path)
    defer { try? queue.close() }
    return try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM document") ?? 0 }
  }
}

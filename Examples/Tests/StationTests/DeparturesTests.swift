import Attach
import AttachGRDB
import Foundation
import Station
import XCTest

/// Every test has a station of its own on disk, with the morning's departures.
final class DeparturesTests: StoreTestCase<GRDBStore> {
  /// The database alone, and the whole folder with the plans.
  override var attachments: [StoreAttachment] { [.database, .folder] }

  private var departures: Departures { Departures(store.writer, at: store.url) }

  override func prepare(_ store: GRDBStore) throws {
    try store.write(Departures.createSchema)
    let board = Departures(store.writer, at: store.url)
    for (number, destination) in ["Oslo", "Bergen", "Narvik", "Bodø", "Røros", "Kiruna"].enumerated() {
      let plan = Data(repeating: UInt8(number), count: 4096)
      try board.add(destination, at: 7 * 60 + number * 25, track: number % 3 + 1, plan: plan)
    }
  }

  func testEveryTestHasTheSameMorning() throws {
    XCTAssertEqual(try departures.count(), 6)
    try departures.removeDepartures(before: 24 * 60)
  }

  func testATrackShowsItsDeparturesInOrder() throws {
    XCTAssertEqual(try departures.destinations(track: 1), ["Oslo", "Bodø"])
  }

  /// Fails: who leaves at 7:50 is delayed into the hour of eight, and delayed once more.
  func testADelayOfOneHourGoesForThatHourOnly() throws {
    try departures.delay(hour: 7, by: 30)
    try departures.delay(hour: 8, by: 10)
    XCTAssertEqual(
      try departures.minute(of: "Narvik"), 7 * 60 + 50 + 30, "Narvik was delayed with the hour of seven")
  }

  /// Fails: the rows go, the files of their plans stay in the hidden folder.
  func testWhatHasLeftTakesItsPlanAlong() throws {
    try departures.removeDepartures(before: 8 * 60)
    XCTAssertEqual(try departures.orphans(), [])
  }
}

/// The copy that a test of old made by hand, and what it lacked.
final class CheckpointTests: StoreTestCase<SQLiteStore> {
  private func rows(in file: URL) throws -> [[SQLiteValue]] {
    let reader = try SQLiteStore(.inMemory)
    defer { XCTAssertNoThrow(try reader.destroy()) }
    try reader.database.rows("ATTACH ? AS copy", .text(file.path))
    return try reader.database.rows("SELECT name FROM copy.sqlite_schema")
  }

  private func copy() throws -> URL {
    let copy = store.folder.appendingPathComponent("copy.sqlite")
    try? FileManager.default.removeItem(at: copy)
    try FileManager.default.copyItem(at: store.url, to: copy)
    return copy
  }

  func testACopyOfTheFileAloneMissesWhatTheWALHolds() throws {
    try store.database.execute("CREATE TABLE departure(id INTEGER PRIMARY KEY, destination TEXT)")
    XCTAssertEqual(try rows(in: copy()), [])
    try store.checkpoint()
    XCTAssertEqual(try rows(in: copy()), [["departure"]])
  }

  /// Fails on purpose: what Attach captures has the rows, although nobody checkpointed.
  func testACaptureHasThemWithoutACheckpoint() throws {
    try store.database.execute("CREATE TABLE departure(id INTEGER PRIMARY KEY, destination TEXT)")
    try store.database.execute("INSERT INTO departure(destination) VALUES ('Oslo'), ('Bergen')")
    XCTAssertEqual(try rows(in: copy()), [["departure"]], "the copy of the file alone")
  }
}

import Attach
import Foundation
import GRDB
import XCTest

final class EvidenceXCTests: XCTestCase {
  private var folder = URL(fileURLWithPath: "/")

  override func setUpWithError() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("evidence-\(UUID().uuidString)")
    try makeStore(at: folder)
  }

  override func tearDownWithError() throws {
    try FileManager.default.removeItem(at: folder)
  }

  func testEveryKind() throws {
    attachOnFailure(
      .directory(at: folder, named: "Store"), .file(at: folder.appendingPathComponent("notes.txt")))
    attachOnFailure(.data(Data([1, 2, 3]), named: "bytes.bin"), .text("a\nb", named: "log.txt"))
    XCTFail("every kind")
  }

  func testZstandard() throws {
    let queue = try DatabaseQueue(path: folder.appendingPathComponent("notes.sqlite").path)
    try queue.write { try $0.execute(sql: "CREATE TABLE note(text); INSERT INTO note VALUES ('archived')") }
    attachOnFailure(.directory(at: folder, named: "Store", compression: .zstd))
    XCTFail("a folder as tar.zst")
  }

  func testDroppedWhenPassing() {
    attach(.text("dropped", named: "dropped.txt"))
  }

  func testKeptAlways() {
    attach(.text("kept", named: "kept.txt"), keep: .always)
    attach(.text("dropped", named: "dropped.txt"))
  }

  func testAttachedTwiceUnderOneName() {
    attach(.text("first", named: "same.txt"))
    attach(.text("second", named: "same.txt"))
    XCTFail("both are kept")
  }

  func testMissing() {
    attachOnFailure(.file(at: folder.appendingPathComponent("missing.txt")))
    attachOnFailure(.directory(at: folder.appendingPathComponent("missing")))
    attachOnFailure(.database(at: folder.appendingPathComponent("missing.sqlite")))
    XCTFail("nothing to capture")
  }

  func testHostileNames() {
    attachOnFailure(.text("x", named: "../../escape.txt"), .text("y", named: "<script>alert(1)</script>"))
    XCTFail("<script>alert(1)</script> \u{1B}[31mred\u{1B}[0m \u{202E}txt.exe")
  }
}

/// A store folder with a hidden part, as Core Data lays it out.
func makeStore(at folder: URL) throws {
  let support = folder.appendingPathComponent(".Store_SUPPORT/_EXTERNAL_DATA")
  try FileManager.default.createDirectory(at: support, withIntermediateDirectories: true)
  try Data("blob".utf8).write(to: support.appendingPathComponent("0001"))
  try Data("notes".utf8).write(to: folder.appendingPathComponent("notes.txt"))
  try Data("secret".utf8).write(to: folder.appendingPathComponent("token.key"))
}

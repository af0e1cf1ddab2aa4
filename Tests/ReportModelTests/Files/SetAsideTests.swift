import ExhibitSystem
import Foundation
import Testing

@testable import ReportModel

/// What waits on disk for its place in the report.
@Suite struct SetAsideTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func whatWasPutAsideIsReadAgain() async throws {
    let file = try SetAside(in: folder.path)
    let texts = (0..<200).map { [UInt8](repeating: UInt8($0), count: $0 * 37) }
    try await withThrowingTaskGroup { group in
      for text in texts {
        group.addTask { (text, try text.withUnsafeBufferPointer { try file.put($0) }) }
      }
      for try await (text, piece) in group { #expect(try piece.bytes() == text) }
    }
  }

  @Test func nothingOfItIsSeenInTheFolder() throws {
    let file = try SetAside(in: folder.path)
    let piece = try Array("secret".utf8).withUnsafeBufferPointer { try file.put($0) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    #expect(try piece.bytes() == Array("secret".utf8))
  }

  @Test func aFolderThatIsNotThereIsSaid() {
    #expect(throws: SystemError.self) { try SetAside(in: folder.path + "/none") }
  }
}

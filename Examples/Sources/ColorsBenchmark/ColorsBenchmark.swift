import Colors
import Foundation

/// Times what a test of Colors does, with the store on disk and in memory: prints seconds of each, one a line.
@main struct ColorsBenchmark {
  static func main() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("colors-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var (onDisk, inMemory): ([Double], [Double]) = ([], [])
    for round in 0..<25 {
      let file = folder.appendingPathComponent("\(round).sqlite")
      onDisk.append(try await time(.onDisk(file)))
      inMemory.append(try await time(.inMemory))
    }
    print("onDisk \(median(onDisk))\ninMemory \(median(inMemory))")
  }

  /// One test: a fresh stack, a few colors made and deleted.
  private static func time(_ store: ColorStack.Store) async throws -> Double {
    let start = ContinuousClock.now
    let stack = try await ColorStack.make(store)
    let manager = ColorManager(stack.writer)
    for number in 0..<10 {
      let color = try manager.create("Color \(number)", hex: String(number))
      if number % 2 == 0 { try manager.delete(color) }
    }
    try stack.writer.close()
    return start.duration(to: .now) / .seconds(1)
  }

  private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}

package import Collector
import ExhibitSystem
import Foundation
import ReportModel

/// Reads and writes `shard.json` and the split of `reporter test --shard`.
package enum ShardRecord {
  private static let (fileName, splitName) = ("shard.json", "split.txt")

  /// Writes the shard and the whole split, so that a merge knows all tests.
  package static func write(_ split: TestSplit, shard number: Int, to run: RunFolder) throws {
    let lines = split.lines
    let shard = Shard(
      number: number, count: split.count, split: TestSplit.hash(of: lines),
      tests: split.entries.count { $0.shard == number })
    try write(lines, to: run.path + "/" + splitName)
    try write(Array(try jsonDocument(shard)), to: run.path + "/" + fileName)
  }

  /// A resumed run has the same shard.
  private static func write(_ bytes: [UInt8], to path: String) throws {
    do throws(SystemError) {
      try FileSystem.writeNewFile(path, bytes)
    } catch  where error.code == EEXIST {
      if try [UInt8](Data(contentsOf: URL(fileURLWithPath: path))) != bytes { throw error }
    }
  }

  static func read(_ run: FoundInput, _ remarks: inout Remarks) -> Shard? {
    let loss = "Which shard it is is not known: the file cannot be read."
    let read = LoadedFile.value(
      Shard.self, fileName, of: (run.path, run.name), otherwise: loss, &remarks)
    guard let shard = read else { return nil }
    guard (1...Shard.most).contains(shard.count), (1...shard.count).contains(shard.number),
      shard.tests >= 0, !shard.split.isEmpty, shard.split.utf8.count <= 64
    else {
      remarks.fault(.unreadableInput, loss, input: "\(run.name)/\(fileName)")
      return nil
    }
    return shard
  }

  static func split(of shard: Shard, in run: RunFolder) -> TestSplit? {
    let path = ContainedPath(folder: run.path, path: splitName)
    guard let file = try? LoadedFile(name: splitName, path), file.bytes.count <= mostBytes else { return nil }
    let bytes = [UInt8](file.bytes)
    return TestSplit.hash(of: bytes) == shard.split ? TestSplit(lines: bytes, count: shard.count) : nil
  }

  /// A million tests take 60 MB.
  private static let mostBytes = 256 << 20
}

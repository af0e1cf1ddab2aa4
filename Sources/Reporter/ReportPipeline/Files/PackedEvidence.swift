import Collector
import ExhibitSystem
import ReportModel
import ReportRendering

extension ReportContents {
  private static let leastPacked = 64 * 1024
  /// More is not packed, since packing is in memory.
  private static let mostPacked = 256 << 20

  /// Packs what is rarely opened: long stories, raw databases with WALs, and what tests started from.
  ///
  /// A file that cannot be packed stays as it is.
  mutating func packEvidence(in folder: String) throws(SystemError) {
    var packed: [String: Int] = [:]
    func pack(_ path: String) throws(SystemError) -> Bool {
      if packed[path] == nil { packed[path] = try Self.pack(folder + "/" + path) }
      return packed[path] != nil
    }
    let captured = Set(report.tests.detailed.flatMap { report.tests[$0].evidence.compactMap(\.path) })
    for test in report.tests.detailed {
      for place in report.tests[test].evidence.indices {
        var evidence = report.tests[test].evidence[place]
        if evidence.kind == .story, let path = evidence.path, evidence.bytes ?? 0 >= Self.leastPacked,
          try pack(path)
        {
          evidence.path = path + ".gz"
        }
        let bytes = evidence.rawFiles.reduce(0) { $0 + $1.bytes }
        if let raw = evidence.rawWAL, bytes >= Self.leastPacked,
          !asksTransactions(of: evidence, report.tests[test])
        {
          for index in evidence.rawFiles.indices
          where [raw.database, raw.wal].contains(evidence.rawFiles[index].path) {
            let path = evidence.rawFiles[index].path
            guard try pack(path), let bytes = packed[path] else { continue }
            evidence.rawFiles[index] = RawFile(path: path + ".gz", bytes: bytes)
          }
        }
        report.tests[test].evidence[place] = evidence
        if let baseline = evidence.baseline, !captured.contains(baseline),
          !packedBaselines.contains(baseline),
          try Self.pack(folder + "/" + baseline, atLeast: Self.leastPacked, keepsIt: true) != nil
        {
          packedBaselines.insert(baseline)
        }
      }
    }
  }

  /// Also removes baselines whose packed copies the report has.
  func removePackedBaselines(in folder: String) throws(SystemError) {
    for path in packedBaselines { try FileSystem.remove(folder + "/" + path) }
  }

  /// - Returns: The packed bytes, if it was packed.
  private static func pack(
    _ path: String, atLeast least: Int = 0, keepsIt: Bool = false
  ) throws(SystemError) -> Int? {
    guard let file = try? InputFile(path: path), (least...mostPacked).contains(file.status.bytes),
      let bytes = try? file.prefix(file.status.bytes), let packed = bytes.withUnsafeBufferPointer(gzip)
    else { return nil }
    try FileSystem.writeNewFile(path + ".gz", packed)
    if !keepsIt { try FileSystem.remove(path) }
    return packed.count
  }
}

import Collector
import ExhibitSystem
import ReportModel
import ReportRendering

extension ReportContents {
  /// Bytes of a story that are worth packing.
  private static let leastPacked = 64 * 1024

  /// Packs the long stories of a report that were read: tools read them, and a report is uploaded.
  ///
  /// A story that cannot be packed stays as it is.
  ///
  /// - Parameter folder: The report folder, as an absolute path.
  /// - Throws: Where what was packed has no room.
  mutating func packStories(in folder: String) throws(ReportFolder.WritingError) {
    var packed: Set<String> = []
    for test in report.tests.indices where !report.tests[test].isPlain {
      for place in report.tests[test].evidence.indices {
        let evidence = report.tests[test].evidence[place]
        guard evidence.kind == .story, let path = evidence.path, evidence.bytes ?? 0 >= Self.leastPacked
        else {
          continue
        }
        if !packed.contains(path) {
          guard try Self.pack(folder + "/" + path) else { continue }
          packed.insert(path)
        }
        report.tests[test].evidence[place].path = path + ".gz"
      }
    }
  }

  /// - Returns: Whether it was.
  private static func pack(_ path: String) throws(ReportFolder.WritingError) -> Bool {
    // What cannot be read was named when its story was read.
    guard let file = try? InputFile(path: path), let bytes = try? file.prefix(file.status.bytes),
      let packed = bytes.withUnsafeBufferPointer(gzip)
    else { return false }
    do throws(SystemError) {
      try FileSystem.writeNewFile(path + ".gz", packed)
      try FileSystem.remove(path)
    } catch {
      throw .file(error)
    }
    return true
  }
}

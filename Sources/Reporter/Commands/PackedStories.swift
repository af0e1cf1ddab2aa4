import Collector
import ExhibitSystem
import ReportModel
import ReportRendering

extension ReportContents {
  /// The bytes from which on a story is packed.
  private static let leastPacked = 64 * 1024

  /// Packs the report's long stories once they are read, because tools read them and reports are uploaded.
  ///
  /// A story that cannot be packed stays as it is.
  ///
  /// - Parameter folder: The absolute path of the report folder.
  /// - Throws: An error when the packed file has no room.
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

  /// - Returns: True when the story was packed.
  private static func pack(_ path: String) throws(ReportFolder.WritingError) -> Bool {
    // An unreadable story was reported when it was read.
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

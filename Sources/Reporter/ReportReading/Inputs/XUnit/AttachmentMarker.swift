import Collector
import Foundation
import ReportModel

/// `[[ATTACHMENT|path]]` on its own line of a test's output.
///
/// Sources: Jenkins' JUnit attachments plugin, GitLab's JUnit reports.
enum AttachmentMarker {
  private static let start = "[[ATTACHMENT|"
  private static let maximumCount = 100

  /// - Parameter folder: The input's folder, which paths must not leave.
  static func evidence(in output: String, folder: String) -> [ObservedEvidence] {
    guard output.contains(start) else { return [] }
    let lines = output.split(whereSeparator: \.isNewline).lazy.map { $0.trimmingCharacters(in: .whitespaces) }
    let markers = lines.filter { $0.hasPrefix(start) && $0.hasSuffix("]]") }
    return markers.prefix(maximumCount).map {
      evidence(at: String($0.dropFirst(start.count).dropLast(2)), in: folder)
    }
  }

  private static func evidence(at path: String, in folder: String) -> ObservedEvidence {
    let relative = path.hasPrefix(folder + "/") ? String(path.dropFirst(folder.count + 1)) : path
    let plain = relative.hasPrefix("./") ? String(relative.dropFirst(2)) : relative
    let name = plain.split(separator: "/").last.map(String.init) ?? plain
    return ObservedEvidence(
      kind: .file, name: name,
      content: .file(ContainedPath(folder: folder, path: plain, allowsHidden: false)), origin: .printed)
  }
}

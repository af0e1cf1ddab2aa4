import Collector
import Foundation
import ReportModel

/// `[[ATTACHMENT|path]]` on a line of its own in a test's output, as Jenkins and GitLab read it.
///
/// Source: the JUnit attachments plugin of Jenkins and GitLab's documentation of JUnit reports.
enum AttachmentMarker {
  private static let start = "[[ATTACHMENT|"
  /// More than a report can show.
  private static let maximumCount = 100

  /// The files that an output names.
  ///
  /// - Parameter folder: The folder of the input; relative paths start there, and none may leave it.
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

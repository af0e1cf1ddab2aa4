import Collector
import Foundation
import ReportModel

extension ObservedEvidence {
  /// A file that Swift Testing wrote for `Attachment.record`; `nil` when it wrote none.
  ///
  /// - Parameter folders: Where attachments may lie, best first. A path outside them is looked for by its file name in the
  ///   first: artifacts are often unpacked elsewhere than they were made.
  init?(_ event: EventStreamRecord.Event, in folders: [String]) {
    guard let path = event.attachment?.path, let first = folders.first else { return nil }
    let fileName = String(path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...])
    var contained = ContainedPath(folder: first, path: fileName)
    if let folder = folders.first(where: { path.hasPrefix($0 + "/") }) {
      contained = ContainedPath(folder: folder, path: String(path.dropFirst(folder.count + 1)))
      // Swift Testing writes all into one folder; beside its stream anything may lie.
      contained.allowsHidden = folder == first && !contained.path.contains("/")
    }
    contained.original = path
    self.init(
      kind: .file, name: event.attachment?._preferredName ?? fileName, content: .file(contained),
      origin: .attached)
  }
}

import Collector
import Foundation

extension ObservedEvidence {
  /// A file that Swift Testing wrote for `Attachment.record`; `nil` when it wrote none.
  ///
  /// - Parameter folders: Where attachments may lie, best first. A path outside them is looked for by its file name in the
  ///   first: artifacts are often unpacked elsewhere than they were made.
  init?(_ event: EventStreamRecord.Event, in folders: [String]) {
    guard let path = event.attachment?.path, let first = folders.first else { return nil }
    let fileName = String(path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...])
    let folder = folders.first { path.hasPrefix($0 + "/") }
    let contained =
      folder.map { ContainedPath(folder: $0, path: String(path.dropFirst($0.count + 1))) }
      ?? ContainedPath(folder: first, path: fileName)
    self.init(
      kind: .file, name: event.attachment?._preferredName ?? fileName, content: .file(contained),
      origin: .attached)
  }
}

import Collector
import ReportModel

extension ObservedEvidence {
  /// The file that Swift Testing wrote for `Attachment.record`; `nil` when it wrote none.
  ///
  /// - Parameter folders: The folders that may have attachments, best first. For a path outside of them, the first
  ///   one is searched for the file name, since artifacts are often unpacked elsewhere.
  init?(_ event: EventStreamRecord.Event, in folders: [String]) {
    guard let path = event.attachment?.path, let first = folders.first else { return nil }
    let fileName = String(path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...])
    var contained = ContainedPath(folder: first, path: fileName)
    if let folder = folders.first(where: { path.hasPrefix($0 + "/") }) {
      contained = ContainedPath(folder: folder, path: String(path.dropFirst(folder.count + 1)))
      // Swift Testing writes all attachments into one folder; the stream's own folder may have other files.
      contained.allowsHidden = folder == first && !contained.path.contains("/")
    }
    contained.original = path
    self.init(
      kind: .file, name: event.attachment?._preferredName ?? fileName, content: .file(contained),
      origin: .attached)
  }
}

import Collector
import ReportModel

extension ObservedEvidence {
  /// The file of `Attachment.record`, if one was written.
  ///
  /// - Parameter folders: Best first; in the first, files of other paths are looked up by name.
  init?(_ event: EventStreamRecord.Event, in folders: [String]) {
    guard let path = event.attachment?.path, let first = folders.first else { return nil }
    let fileName = String(path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...])
    var contained = ContainedPath(folder: first, path: fileName)
    if let folder = folders.first(where: { path.hasPrefix($0 + "/") }) {
      contained = ContainedPath(folder: folder, path: String(path.dropFirst(folder.count + 1)))
      // Swift Testing writes into one folder; the stream's may contain other files.
      contained.allowsHidden = folder == first && !contained.path.contains("/")
    }
    contained.original = path
    self.init(
      kind: .file, name: event.attachment?._preferredName ?? fileName, content: .file(contained),
      origin: .attached)
  }
}

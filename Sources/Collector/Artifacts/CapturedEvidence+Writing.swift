extension CapturedEvidence {
  package func write(to text: inout JSONText) {
    text.member("kind", kind.rawValue)
    text.member("name", name)
    text.member("path", path)
    text.member("bytes", bytes)
    text.member("source", source)
    text.member("keep", keep.rawValue)
    text.member("duration", duration)
    if let database { text.object("database") { database.write(to: &$0) } }
    if let archive { text.object("archive") { archive.write(to: &$0) } }
  }
}

extension DatabaseCapture {
  fileprivate func write(to text: inout JSONText) {
    text.member("method", method.rawValue)
    text.member("view", view?.rawValue)
    // What readers of 1.0 know of the view.
    text.member("uncommitted", uncommitted)
    text.member("wal", wal.rawValue)
    if !walSigns.isEmpty { text.array("walSigns", walSigns) { $0.element($1) } }
    if let walFrames { text.object("walFrames") { walFrames.write(to: &$0) } }
    text.member("databaseBytes", databaseBytes)
    text.member("walBytes", walBytes)
    text.member("history", history)
    text.member("baseline", baseline)
    text.member("note", note)
  }
}

extension WALFrames {
  fileprivate func write(to text: inout JSONText) {
    text.member("committed", committed)
    text.member("transactions", transactions)
    text.member("uncommitted", uncommitted)
    text.member("broken", isBroken)
  }
}

extension DirectoryArchive {
  fileprivate func write(to text: inout JSONText) {
    text.member("format", format)
    text.member("entries", entries)
    text.array("skipped", skipped) { text, item in
      text.object { text in
        text.member("path", item.path)
        text.member("reason", item.reason)
      }
    }
  }
}

extension CaptureFailure {
  package func write(to text: inout JSONText) {
    text.member("kind", kind.rawValue)
    text.member("name", name)
    text.member("source", source)
    text.member("reason", reason.rawValue)
    text.member("message", message)
    text.member("bytes", bytes)
  }
}

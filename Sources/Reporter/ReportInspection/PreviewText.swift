import ExhibitSQLite
import ExhibitSystem
import ReportModel

/// The beginning of a text file for a page.
///
/// - Returns: `nil` when the file is unreadable or not UTF-8.
package func previewText(at path: String, limit: Int = 64 * 1024) -> String? {
  guard let text = readText(at: path, limit: limit) else { return nil }
  guard text.isCut else { return text.text }
  return text.text + "\n… (cut; the whole is \(counted(text.bytes, "byte")))"
}

struct FileText {
  var text: String
  var bytes: Int
  var isCut: Bool
}

/// Reads a regular UTF-8 file; others give `nil`.
func readText(at path: String, limit: Int) -> FileText? {
  guard let file = try? InputFile(link: path), let bytes = try? file.prefix(limit + 1) else { return nil }
  return bytes.withUnsafeBufferPointer { bytes in
    let text = String(decoding: bytes, limit: limit)
    guard !text.utf8.contains(0), Array(text.utf8).elementsEqual(bytes.prefix(text.utf8.count)) else {
      return nil
    }
    return FileText(text: text, bytes: max(file.status.bytes, bytes.count), isCut: bytes.count > limit)
  }
}

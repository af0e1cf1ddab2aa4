import ExhibitSQLite
import ExhibitSystem
import ReportModel

/// The preview of a text evidence on a page.
///
/// - Parameters:
///   - path: the file.
///   - limit: bytes; what is cut off is said at the end of the preview.
/// - Returns: `nil` when the file cannot be read or is no UTF-8 text.
package func previewText(at path: String, limit: Int = 64 * 1024) -> String? {
  guard let text = readText(at: path, limit: limit) else { return nil }
  guard text.isCut else { return text.text }
  return text.text + "\n… (cut; the whole is \(counted(text.bytes, "byte")))"
}

/// The beginning of a file as text.
struct FileText {
  var text: String
  /// The size of the whole file.
  var bytes: Int
  var isCut: Bool
}

/// Reads a regular file; devices, FIFOs and what is not UTF-8 give `nil`.
func readText(at path: String, limit: Int) -> FileText? {
  // An unreadable file is an absent text: the page still links the file itself.
  guard let file = try? InputFile(link: path), let bytes = try? file.prefix(limit + 1) else { return nil }
  return bytes.withUnsafeBufferPointer { bytes in
    let text = String(decoding: bytes, limit: limit)
    guard !text.utf8.contains(0), Array(text.utf8).elementsEqual(bytes.prefix(text.utf8.count)) else {
      return nil
    }
    return FileText(text: text, bytes: max(file.status.bytes, bytes.count), isCut: bytes.count > limit)
  }
}

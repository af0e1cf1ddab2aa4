internal import ExhibitTemplates

/// The files of `templates/` as they were when Exhibit was built.
enum EmbeddedTemplates {
  /// Every file's text by its name.
  static let files: [String: String] = read()

  /// The file that is copied into the report as it is.
  static let styleSheet = "report.css"

  private static func read() -> [String: String] {
    var count = 0
    let entries = UnsafeBufferPointer(start: exhibit_templates(&count), count: count)
    return Dictionary(uniqueKeysWithValues: entries.map { ($0.fileName, $0.text) })
  }
}

extension exhibit_template {
  fileprivate var fileName: String { String(cString: name) }

  fileprivate var text: String {
    String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }
}

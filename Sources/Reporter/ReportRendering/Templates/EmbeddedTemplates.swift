internal import ExhibitTemplates

/// The files of `templates/` as they were when Exhibit was built.
enum EmbeddedTemplates {
  /// Every file's text by its name, made anew: a report reads them once.
  static var files: [String: String] {
    var count = 0
    let entries = UnsafeBufferPointer(start: exhibit_templates(&count), count: count)
    return Dictionary(
      uniqueKeysWithValues: entries.map { (String(cString: $0.name), String(cString: $0.text)) })
  }

  /// SQLite for the browser: WebAssembly.
  static var viewer: [UInt8] {
    var count = 0
    return Array(UnsafeBufferPointer(start: exhibit_viewer(&count), count: count))
  }
}

internal import ExhibitTemplates

/// The files of `templates/`, embedded at build time.
enum EmbeddedTemplates {
  static var files: [String: String] {
    var count = 0
    let entries = UnsafeBufferPointer(start: exhibit_templates(&count), count: count)
    return Dictionary(
      uniqueKeysWithValues: entries.map { (String(cString: $0.name), String(cString: $0.text)) })
  }

  /// SQLite as WebAssembly.
  static var viewer: [UInt8] {
    var count = 0
    return Array(UnsafeBufferPointer(start: exhibit_viewer(&count), count: count))
  }
}

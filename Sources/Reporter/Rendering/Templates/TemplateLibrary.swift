import Foundation
internal import Mustache

/// The Mustache templates, the style sheet and the script of a report: the embedded ones, or those of a folder in their place.
struct TemplateLibrary: Sendable {
  /// The style sheet's text.
  let styleSheet: String
  /// The script's text.
  let script: String
  private let library: MustacheLibrary

  /// Reads and parses all templates.
  ///
  /// - Parameter overrides: a folder whose files replace the embedded ones of the same name.
  /// - Throws: `TemplateError` for a file that cannot be read or parsed, or that replaces nothing.
  init(overrides: URL? = nil) throws(TemplateError) {
    var files = EmbeddedTemplates.files
    if let overrides {
      try files.merge(templateOverrides(in: overrides, known: files.keys.sorted())) { $1 }
    }
    styleSheet = try files.take(EmbeddedTemplates.styleSheet)
    script = try files.take(EmbeddedTemplates.script)
    self.library = try parsedTemplates(files)
  }

  /// The template filled with the values.
  ///
  /// - Throws: `TemplateError.missing` when there is no such template.
  func render(_ values: TemplateValues, with name: String) throws(TemplateError) -> String {
    guard let text = library.render(values, withTemplate: name) else { throw .missing(name: name) }
    return text
  }
}

extension [String: String] {
  fileprivate mutating func take(_ name: String) throws(TemplateError) -> String {
    guard let text = removeValue(forKey: name) else { throw .missing(name: name) }
    return text
  }
}

/// The texts of a folder's files by name.
private func templateOverrides(in folder: URL, known: [String]) throws(TemplateError) -> [String: String] {
  let names: [String]
  do {
    names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  } catch {
    throw .unreadableFolder(path: folder.path, reason: error.localizedDescription)
  }
  var files: [String: String] = [:]
  for name in names where !name.hasPrefix(".") {
    let file = folder.appendingPathComponent(name)
    guard known.contains(name) else { throw .unknown(file: file.path, known: known) }
    do {
      files[name] = try String(contentsOf: file, encoding: .utf8)
    } catch {
      throw .unreadable(file: file.path, reason: error.localizedDescription)
    }
  }
  return files
}

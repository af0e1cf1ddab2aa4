package import Foundation

/// The Mustache templates, the style sheet and the script of a report: the embedded ones, or those of a folder in their place.
package struct TemplateLibrary: Sendable {
  /// The style sheet's text.
  let styleSheet: String
  /// The script's text, behind what the numbers in its data mean.
  let script: String
  /// The same for the page of trends.
  let historyStyleSheet: String
  let historyScript: String
  /// By name, without the extension.
  private let templates: [String: Template]

  /// Reads and parses all templates.
  ///
  /// - Parameter overrides: a folder whose files replace the embedded ones of the same name.
  /// - Throws: `TemplateError` for a file that cannot be read or parsed, or that replaces nothing.
  package init(overrides: URL? = nil) throws(TemplateError) {
    var files = EmbeddedTemplates.files
    if let overrides {
      try files.merge(templateOverrides(in: overrides, known: files.keys.sorted())) { $1 }
    }
    styleSheet = try files.take("report.css")
    script = scriptCodes() + (try files.take("report.js"))
    historyStyleSheet = try files.take("history.css")
    historyScript = try files.take("history.js")
    templates = try parsed(files)
  }

  /// The template filled with the values: bytes of UTF-8.
  ///
  /// - Throws: `TemplateError.missing` when there is no such template.
  func render(_ values: TemplateValues, with name: String) throws(TemplateError) -> [UInt8] {
    guard let template = templates[name] else { throw .missing(name: name) }
    var renderer = TemplateRenderer(.values(values), templates: templates)
    renderer.render(template)
    return renderer.bytes
  }

  /// A file of the template filled with the values.
  func file(_ path: String, _ values: TemplateValues, with name: String) throws(TemplateError) -> ReportFile {
    ReportFile(path: path, contents: try render(values, with: name))
  }
}

private let templateExtension = ".mustache"

/// Parses templates given by file name.
private func parsed(_ files: [String: String]) throws(TemplateError) -> [String: Template] {
  let names = Set(files.keys.map(templateName))
  var templates: [String: Template] = [:]
  for (file, text) in files.sorted(by: { $0.key < $1.key }) {
    templates[templateName(file)] = try TemplateParser.parse(text, file: file, known: names)
  }
  return templates
}

private func templateName(_ file: String) -> String {
  file.hasSuffix(templateExtension) ? String(file.dropLast(templateExtension.count)) : file
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

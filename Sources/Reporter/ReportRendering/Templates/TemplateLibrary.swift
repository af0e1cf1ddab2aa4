package import Foundation

/// A report's templates, styles and scripts, embedded or from a folder.
package struct TemplateLibrary: Sendable {
  let styleSheet: String
  /// Preceded by `scriptCodes`.
  let script: String
  let historyStyleSheet: String
  let historyScript: String
  private let templates: [String: Template]

  /// Parses all templates.
  ///
  /// - Parameter overrides: A folder of replacements.
  /// - Throws: `TemplateError`.
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

  /// Renders to UTF-8.
  ///
  /// - Throws: `TemplateError.missing`.
  func render(_ values: TemplateValues, with name: String) throws(TemplateError) -> [UInt8] {
    guard let template = templates[name] else { throw .missing(name: name) }
    var renderer = TemplateRenderer(.values(values), templates: templates)
    renderer.render(template)
    return renderer.bytes
  }

  func file(_ path: String, _ values: TemplateValues, with name: String) throws(TemplateError) -> ReportFile {
    ReportFile(path: path, contents: try render(values, with: name))
  }
}

private let templateExtension = ".mustache"

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

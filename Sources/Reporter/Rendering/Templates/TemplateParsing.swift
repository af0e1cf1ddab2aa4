internal import Mustache

private let templateExtension = ".mustache"

/// Escapes everything a template inserts, in place of swift-mustache's own escaping, which goes by `Character`.
private struct EscapedHTML: MustacheContentType {
  func escapeText(_ text: String) -> String { htmlEscaped(text) }
}

/// The line put before every template, so that none can be without the escaping.
private let contentTypeLine = "{{% CONTENT_TYPE: EXHIBIT}}\n"

/// Parses templates given by file name.
func parsedTemplates(_ files: [String: String]) throws(TemplateError) -> MustacheLibrary {
  MustacheContentTypes.register(EscapedHTML(), named: "EXHIBIT")
  let names = Set(files.keys.map(templateName))
  var library = MustacheLibrary()
  for (file, text) in files.sorted(by: { $0.key < $1.key }) {
    try checkPartials(of: file, text: text, names: names)
    try checkLastTag(of: file, text: text)
    do {
      try library.register(contentTypeLine + text, named: templateName(file))
    } catch {
      throw syntaxError(error, file: file)
    }
  }
  return library
}

private func templateName(_ file: String) -> String {
  file.hasSuffix(templateExtension) ? String(file.dropLast(templateExtension.count)) : file
}

/// Finds partials that name no template: Mustache would render them as nothing.
private func checkPartials(of file: String, text: String, names: Set<String>) throws(TemplateError) {
  for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
    for match in line.matches(of: /\{\{\s*[><]\s*([A-Za-z0-9._\/-]+)\s*\}\}/)
    where !names.contains(String(match.1)) {
      throw .missingPartial(file: file, line: index + 1, name: String(match.1))
    }
  }
}

/// Finds a tag that is cut off by the end of the file: Mustache takes some of those for text.
private func checkLastTag(of file: String, text: String) throws(TemplateError) {
  let lines = textLines(of: text)
  guard let index = lines.lastIndex(where: { $0.contains("{{") }) else { return }
  let rest = lines[index...].joined(separator: "\n")
  guard let start = rest.places(of: "{{").last, rest[start.upperBound...].places(of: "}}").isEmpty else {
    return
  }
  throw .syntax(file: file, line: index + 1, text: String(lines[index]), reason: "a tag has no end")
}

private func syntaxError(_ error: any Error, file: String) -> TemplateError {
  guard let error = error as? MustacheTemplate.ParserError else {
    return .syntax(file: file, line: 1, text: "", reason: String(describing: error))
  }
  return .syntax(
    file: file, line: max(1, error.context.lineNumber - 1), text: error.context.line,
    reason: explanation(of: error.error))
}

private func explanation(of error: any Error) -> String {
  switch error as? MustacheTemplate.Error {
  case .sectionCloseNameIncorrect: "a section is closed by another name"
  case .unfinishedName: "a tag has no end or a name Mustache does not allow"
  case .expectedSectionEnd: "a section is never closed"
  case .some(let other): "not Mustache (\(other))"
  case nil: "a tag has no end"
  }
}

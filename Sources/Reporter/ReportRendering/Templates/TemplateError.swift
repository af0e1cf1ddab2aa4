/// An error in a template, with file and line.
package enum TemplateError: Error, Equatable, CustomStringConvertible {
  case unreadableFolder(path: String, reason: String)
  case unreadable(file: String, reason: String)
  /// Replaces no template; probably misspelt.
  case unknown(file: String, known: [String])
  case syntax(file: String, line: Int, text: String, reason: String)
  /// `{{> name}}` of an unknown template.
  case missingPartial(file: String, line: Int, name: String)
  /// A required template.
  case missing(name: String)

  package var description: String {
    switch self {
    case .unreadableFolder(let path, let reason):
      "The template folder \(path) cannot be read: \(reason)"
    case .unreadable(let file, let reason):
      "The template \(file) cannot be read: \(reason)"
    case .unknown(let file, let known):
      "No page uses the template \(file). Templates that can be replaced: \(known.joined(separator: ", "))"
    case .syntax(let file, let line, let text, let reason):
      "\(file):\(line): \(reason) in “\(text)”"
    case .missingPartial(let file, let line, let name):
      "\(file):\(line): there is no template \(name).mustache"
    case .missing(let name):
      "There is no template \(name).mustache"
    }
  }
}

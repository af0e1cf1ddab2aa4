/// The reason why templates cannot be used, with the file and the line to look at.
package enum TemplateError: Error, Equatable, CustomStringConvertible {
  /// The folder given with `--templates` cannot be listed.
  case unreadableFolder(path: String, reason: String)
  case unreadable(file: String, reason: String)
  /// A file in the folder that no page uses: most likely a misspelt name.
  case unknown(file: String, known: [String])
  case syntax(file: String, line: Int, text: String, reason: String)
  /// A `{{> name}}` that names no template.
  case missingPartial(file: String, line: Int, name: String)
  /// A template that a page needs is not there.
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

package import ReportModel

/// Links that open source files in an editor on this machine.
package struct Editor: Sendable, Equatable {
  package var template: EditorTemplate
  package var root: SourceRoot

  package init(_ template: EditorTemplate, root: SourceRoot) {
    (self.template, self.root) = (template, root)
  }

  package func link(to place: SourceReference) -> String? {
    guard let path = relativeLink(to: place.file) else { return nil }
    let folder = root.path == "/" ? "" : encodedPath(root.path)
    return template.address(of: folder + "/" + path, line: place.line ?? 1)
  }
}

/// A link format of an editor.
package struct EditorTemplate: Sendable, Equatable {
  package enum Problem: Error, CustomStringConvertible {
    case noAddress
    case refusedScheme(String)
    case noPath
    case refusedSign(Character)

    package var description: String {
      switch self {
      case .noAddress:
        "--editor takes vscode, or an address with {path} and {line} that begins with a scheme and ://."
      case .refusedScheme(let scheme):
        "--editor takes no address of \(scheme):, which browsers open themselves."
      case .noPath: "--editor needs {path} in its address, behind the scheme."
      case .refusedSign(let sign):
        "--editor takes no \(printedLine("\(sign)")) in its address; percent-encode it."
      }
    }
  }

  private static let known = ["vscode": "vscode://file{path}:{line}"]

  /// Schemes that the browser handles itself.
  private static let refused: Set = [
    "about", "blob", "chrome", "data", "file", "filesystem", "ftp", "intent", "javascript", "resource",
    "vbscript",
    "view-source", "ws", "wss",
  ]

  /// Characters that RFC 3986 allows, without the apostrophe.
  private static let signs = Set("-._~:/?#[]@!$&()*+,;=%".utf8)

  private let text: String

  /// - Parameter name: A known editor such as `vscode`, or a link with `{path}` and optionally `{line}`.
  package init(_ name: String) throws(Problem) {
    let text = Self.known[name] ?? name
    guard let end = text.places(of: "://").first?.lowerBound else { throw .noAddress }
    let scheme = text[..<end].lowercased()
    guard scheme.utf8.first?.isLetter == true,
      scheme.utf8.allSatisfy({ $0.isLetter || $0.isDigit || "+-.".utf8.contains($0) })
    else { throw .noAddress }
    guard !Self.refused.contains(scheme) else { throw .refusedScheme(scheme) }
    guard text[end...].contains("{path}") else { throw .noPath }
    let bare = text.replacing("{path}", with: "").replacing("{line}", with: "")
    if let sign = bare.first(where: {
      !$0.utf8.allSatisfy { $0.isLetter || $0.isDigit || Self.signs.contains($0) }
    }) {
      throw .refusedSign(sign)
    }
    self.text = text
  }

  /// - Parameter path: Absolute and percent-encoded.
  func address(of path: String, line: Int) -> String {
    // Encoded paths contain no braces.
    text.replacing("{path}", with: path).replacing("{line}", with: String(line))
  }
}

extension PageContext {
  /// The link to a place: in the editor, or else in the repository.
  func sourceLink(to place: SourceReference) -> String? {
    contents.editor?.link(to: place) ?? contents.summary.repository?.link(to: place)
  }

  /// Values for template `place`.
  ///
  /// - Parameter reference: `nil` for no link.
  func placeValues(_ reference: SourceReference?, text: String) -> TemplateValues {
    ["text": visibleOnOneLine(text), "href": reference.flatMap(sourceLink(to:))]
  }
}

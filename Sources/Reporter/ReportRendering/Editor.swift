package import ReportModel

/// The editor that opens places in the sources, by addresses that name absolute paths of this machine.
package struct Editor: Sendable, Equatable {
  package var template: EditorTemplate
  package var root: SourceRoot

  package init(_ template: EditorTemplate, root: SourceRoot) {
    (self.template, self.root) = (template, root)
  }

  /// The address that opens a place; `nil` for a file outside of the source root.
  package func link(to place: SourceReference) -> String? {
    guard let path = relativeLink(to: place.file) else { return nil }
    let folder = root.path == "/" ? "" : encodedPath(root.path)
    return template.address(of: folder + "/" + path, line: place.line ?? 1)
  }
}

/// The form of the addresses by which an editor opens a line of a file.
package struct EditorTemplate: Sendable, Equatable {
  /// The reason why a text is no such form.
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

  /// The schemes that a browser runs, shows or sends itself instead of giving them to another program.
  private static let refused: Set = [
    "about", "blob", "chrome", "data", "file", "filesystem", "ftp", "intent", "javascript", "resource",
    "vbscript",
    "view-source", "ws", "wss",
  ]

  /// The signs that RFC 3986 allows in an address, without the apostrophe.
  private static let signs = Set("-._~:/?#[]@!$&()*+,;=%".utf8)

  private let text: String

  /// - Parameter name: `vscode`, or an address with `{path}`, and `{line}` where the editor takes one.
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
    // Percent-encoded, a path has no braces.
    text.replacing("{path}", with: path).replacing("{line}", with: String(line))
  }
}

extension PageContext {
  /// The link to a place in the sources: into the editor that was asked for, else into the repository.
  func sourceLink(to place: SourceReference) -> String? {
    contents.editor?.link(to: place) ?? contents.summary.repository?.link(to: place)
  }

  /// The values for the template `place`.
  ///
  /// - Parameters:
  ///   - reference: The place; `nil` for one without a file, which leads nowhere.
  ///   - text: The text that is shown for it.
  func placeValues(_ reference: SourceReference?, text: String) -> TemplateValues {
    ["text": visibleOnOneLine(text), "href": reference.flatMap(sourceLink(to:))]
  }
}

/// The code that a macro such as `#expect` put in its place; debug information names it instead of the source file.
struct MacroExpansion: Equatable {
  var module: String
  /// The last part of the source file's path, which is there once in a module.
  var file: String
  var line: Int
  /// From 1, in bytes.
  var column: Int
  /// The macro's name without `#`.
  var name: String

  /// The symbol in the name of a file with an expansion; `nil` for other files.
  static func symbol(ofFile path: String) -> String? {
    let name = path.split(separator: "/").last ?? ""
    guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { return nil }
    return "$s" + name.dropFirst(prefix.count).dropLast(suffix.count)
  }

  private static let (prefix, suffix) = ("@__swiftmacro_", ".swift")

  /// Reads the tree of a symbol; `nil` for expansions of attributes such as `@Test`, which are no code that somebody
  /// wrote.
  init?(_ tree: DemangledNode) {
    guard let expansion = tree["FreestandingMacroExpansion"], let location = expansion["MacroExpansionLoc"],
      location.children.count == 4, let line = location.children[2].index,
      let column = location.children[3].index, let name = expansion["Identifier"]?.text
    else { return nil }
    module = location.children[0].text
    file = location.children[1].text
    (self.line, self.column, self.name) = (line, column, name)
  }
}

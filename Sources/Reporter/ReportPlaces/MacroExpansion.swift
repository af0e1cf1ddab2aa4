/// The expansion of a macro such as `#expect`, which debug information names instead of the source file.
struct MacroExpansion: Equatable {
  var module: String
  /// The file name, unique in a module.
  var file: String
  var line: Int
  /// From 1, in bytes.
  var column: Int
  /// Without `#`.
  var name: String

  /// The symbol in an expansion's file name, if it is one.
  static func symbol(ofFile path: String) -> String? {
    let name = path.split(separator: "/").last ?? ""
    guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { return nil }
    return "$s" + name.dropFirst(prefix.count).dropLast(suffix.count)
  }

  private static let (prefix, suffix) = ("@__swiftmacro_", ".swift")

  /// `nil` for attached macros such as `@Test`, whose code nobody wrote.
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

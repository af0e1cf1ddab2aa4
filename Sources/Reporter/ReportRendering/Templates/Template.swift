/// A parsed Mustache template.
struct Template: Sendable {
  enum Part: Sendable {
    case text(Text)
    case variable(Name, isEscaped: Bool)
    case section(Name, Template)
    case inverted(Name, Template)
    /// Indented if the tag is alone on its line.
    case partial(String, indentation: [UInt8]?)
    /// A parent template with replaced blocks.
    case parent(String, blocks: [String: Template])
    case block(String, Template)
  }

  /// Literal text with what indentation needs.
  struct Text: Sendable {
    var bytes: [UInt8]
    /// True at the start of a line.
    var beginsLine: Bool
    /// True when its last line continues.
    var isContinued: Bool
  }

  /// `a.b` is the value `b` in `a`, `.` the enclosing value.
  struct Name: Sendable {
    var path: [String]

    init(_ text: String) {
      path = text == "." ? [] : text.split(separator: ".").map(String.init)
    }
  }

  var parts: [Part] = []
}

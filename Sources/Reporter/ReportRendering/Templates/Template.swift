/// A Mustache template, taken apart.
struct Template: Sendable {
  enum Part: Sendable {
    case text(Text)
    case variable(Name, isEscaped: Bool)
    case section(Name, Template)
    case inverted(Name, Template)
    /// Another template in this place: every line indented where the tag has a line for itself.
    case partial(String, indentation: [UInt8]?)
    /// Another template, some of whose blocks are replaced.
    case parent(String, blocks: [String: Template])
    /// A block that a template that inherits may replace.
    case block(String, Template)
  }

  /// Text as it stands, and what has to be known of it where a partial is indented.
  struct Text: Sendable {
    var bytes: [UInt8]
    /// True when it begins a line of the template.
    var beginsLine: Bool
    /// True when the line in which it ends goes on behind it, even if that is a new one.
    var isContinued: Bool
  }

  /// The name of a value; `a.b` is the value `b` of the values `a`, and `.` what surrounds the tag.
  struct Name: Sendable {
    /// Empty for `.`.
    var path: [String]

    init(_ text: String) {
      path = text == "." ? [] : text.split(separator: ".").map(String.init)
    }
  }

  var parts: [Part] = []
}

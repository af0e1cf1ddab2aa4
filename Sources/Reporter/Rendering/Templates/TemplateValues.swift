internal import Mustache

/// What a template sees: names and what they stand for (texts, numbers, conditions, lists and values within values).
///
/// A name set to `nil` is absent here and is not looked for in the surroundings, as Mustache does with unknown names.
struct TemplateValues: ExpressibleByDictionaryLiteral {
  private var values: [String: Any] = [:]

  init(dictionaryLiteral elements: (String, Any?)...) {
    values.reserveCapacity(elements.count)
    for (name, value) in elements { values[name] = Self.known(value) }
  }

  /// Sets a name, or makes it absent.
  mutating func set(_ name: String, to value: Any?) {
    values[name] = Self.known(value)
  }

  /// In the forms that Mustache recognises at first sight: it would look into a `String` by reflection.
  private static func known(_ value: Any?) -> Any {
    switch value {
    case nil: TemplateAbsence()
    case let text as String: TemplateText(text: text)
    case let value?: value
    }
  }
}

extension TemplateValues: MustacheParent {
  func child(named name: String) -> Any? { values[name] }
}

/// A text, which has no parts.
struct TemplateText: MustacheCustomRenderable, MustacheParent {
  var text: String

  var renderText: String { text }
  var isNull: Bool { false }

  func child(named name: String) -> Any? { nil }
}

/// What is not there.
private struct TemplateAbsence: MustacheCustomRepresentation {
  var representation: Any? { nil }
}

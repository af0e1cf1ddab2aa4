internal import Foundation
internal import Mustache

/// What a template sees: names and what they stand for (texts, numbers, conditions, lists and values within values).
///
/// A name set to `nil` is absent here and is not looked for in the surroundings, as Mustache does with unknown names.
struct TemplateValues: ExpressibleByDictionaryLiteral {
  private var values: [String: Any] = [:]

  init(dictionaryLiteral elements: (String, Any?)...) {
    for (name, value) in elements { values[name] = value ?? NSNull() }
  }

  /// Sets a name, or makes it absent.
  mutating func set(_ name: String, to value: Any?) {
    values[name] = value ?? NSNull()
  }
}

extension TemplateValues: MustacheParent {
  func child(named name: String) -> Any? { values[name] }
}

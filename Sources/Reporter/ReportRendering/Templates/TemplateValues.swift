/// The names that a template sees and their values (texts, numbers, conditions, lists and values within values).
///
/// A name set to `nil` is absent here and is not looked for in the surroundings, as Mustache does with unknown names.
struct TemplateValues: ExpressibleByDictionaryLiteral, Sendable {
  private var values: [String: TemplateValue] = [:]

  init(dictionaryLiteral elements: (String, (any TemplateInsertable)?)...) {
    values.reserveCapacity(elements.count)
    for (name, value) in elements { set(name, to: value) }
  }

  /// Sets a name, or makes it absent.
  mutating func set(_ name: String, to value: (any TemplateInsertable)?) {
    values[name] = value?.templateValue ?? .absent
  }

  /// The value of a name; `nil` for one that was never set.
  subscript(name: String) -> TemplateValue? { values[name] }
}

/// The value of a name.
enum TemplateValue: Sendable {
  case absent
  case condition(Bool)
  case text(String)
  case values(TemplateValues)
  case list([TemplateValue])

  /// True when an inverted section is rendered.
  var isNothing: Bool {
    switch self {
    case .absent: true
    case .condition(let holds): !holds
    case .list(let list): list.isEmpty
    case .text, .values: false
    }
  }
}

/// A value that can be given to a template.
protocol TemplateInsertable {
  var templateValue: TemplateValue { get }
}

extension String: TemplateInsertable {
  var templateValue: TemplateValue { .text(self) }
}

extension Int: TemplateInsertable {
  var templateValue: TemplateValue { .text(String(self)) }
}

extension Bool: TemplateInsertable {
  var templateValue: TemplateValue { .condition(self) }
}

extension TemplateValues: TemplateInsertable {
  var templateValue: TemplateValue { .values(self) }
}

extension Array: TemplateInsertable where Element: TemplateInsertable {
  var templateValue: TemplateValue { .list(map { $0.templateValue }) }
}

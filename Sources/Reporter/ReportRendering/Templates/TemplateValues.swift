/// Named values for a template.
///
/// `nil` marks a name as absent, so that enclosing values are not searched.
struct TemplateValues: ExpressibleByDictionaryLiteral, Sendable {
  private var values: [String: TemplateValue] = [:]

  init(dictionaryLiteral elements: (String, (any TemplateInsertable)?)...) {
    values.reserveCapacity(elements.count)
    for (name, value) in elements { set(name, to: value) }
  }

  mutating func set(_ name: String, to value: (any TemplateInsertable)?) {
    values[name] = value?.templateValue ?? .absent
  }

  mutating func set(_ others: TemplateValues) { values.merge(others.values) { $1 } }

  /// `nil` if never set.
  subscript(name: String) -> TemplateValue? { values[name] }
}

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

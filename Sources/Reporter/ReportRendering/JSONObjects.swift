import Collector

/// Forms that documents have often.
extension JSONText {
  /// An array of objects.
  mutating func objects<Element>(
    _ key: StaticString?, _ elements: [Element], _ members: (inout JSONText, Element) -> Void
  ) {
    array(key, elements) { json, element in json.object { members(&$0, element) } }
  }

  /// The same, with a line for each.
  mutating func lines<Element>(
    _ key: StaticString?, _ elements: [Element], _ members: (inout JSONText, Element) -> Void
  ) {
    array(key, elements) { json, element in
      json.startLine()
      json.object { members(&$0, element) }
    }
  }

  /// An object, or `null` where there is no value.
  mutating func object<Value>(
    _ key: StaticString, of value: Value?, _ members: (inout JSONText, Value) -> Void
  ) {
    guard let value else { return member(key, nil as String?) }
    object(key) { members(&$0, value) }
  }
}

import Collector

extension JSONText {
  mutating func objects<Element>(
    _ key: StaticString?, _ elements: [Element], _ members: (inout JSONText, Element) -> Void
  ) {
    array(key, elements) { json, element in json.object { members(&$0, element) } }
  }

  /// An array of objects, one per line.
  mutating func lines<Element>(
    _ key: StaticString?, _ elements: [Element], _ members: (inout JSONText, Element) -> Void
  ) {
    array(key, elements) { json, element in
      json.startLine()
      json.object { members(&$0, element) }
    }
  }

  /// An object or `null`.
  mutating func object<Value>(
    _ key: StaticString, of value: Value?, _ members: (inout JSONText, Value) -> Void
  ) {
    guard let value else { return member(key, nil as String?) }
    object(key) { members(&$0, value) }
  }
}

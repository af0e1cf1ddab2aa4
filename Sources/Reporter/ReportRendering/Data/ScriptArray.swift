import Collector

/// An array of JSON in the making, which every script reads as an array.
struct ScriptArray: ~Copyable {
  private var text = JSONText(.script)
  /// Values left out so far, which stand only if another one follows.
  private var pending = 0

  init() {
    text.open(nil, UInt8(ascii: "["))
  }

  /// The array with its end.
  var closed: [UInt8] { text.withBytes { $0 + [UInt8(ascii: "]")] } }

  mutating func append(_ number: Int) {
    writePending()
    text.element(number)
  }

  mutating func append(_ string: String) {
    writePending()
    text.element(string)
  }

  /// Appends an array, which is filled where it stands.
  mutating func appendArray(_ fill: (inout ScriptArray) -> Void) {
    writePending()
    text.open(nil, UInt8(ascii: "["))
    fill(&self)
    pending = 0
    text.close(UInt8(ascii: "]"))
  }

  /// Appends a text, or 0 in its place.
  mutating func appendIfSaid(_ text: String?) {
    if let text { append(text) } else { pending += 1 }
  }

  mutating func appendIfSaid(_ number: Int) {
    if number != 0 { append(number) } else { pending += 1 }
  }

  /// Appends texts as one array, or 0 in its place.
  mutating func appendIfSaid(_ texts: [String]) {
    guard !texts.isEmpty else {
      pending += 1
      return
    }
    appendArray { for text in texts { $0.append(text) } }
  }

  private mutating func writePending() {
    for _ in 0..<pending { text.element(0) }
    pending = 0
  }
}

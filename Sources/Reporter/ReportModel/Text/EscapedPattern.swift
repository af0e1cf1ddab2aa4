package func escapedPattern(_ text: String) -> String {
  let bytes = text.utf8.flatMap { signs.contains($0) ? [UInt8(ascii: "\\"), $0] : [$0] }
  return String(decoding: bytes, as: UTF8.self)
}

private let signs = Array(#"\^$.|?*+()[]{}"#.utf8)

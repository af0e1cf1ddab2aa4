/// A node of a demangled Swift symbol, as printed by `swift-demangle -tree-only`.
///
/// Unlike the printed name, the tree tells modules, closures and thunks apart.
struct DemangledNode: Equatable, Sendable {
  /// A kind of `swift::Demangle::Node`.
  var kind: String
  var text = ""
  var index: Int?
  var children: [DemangledNode] = []

  subscript(kind: String) -> DemangledNode? { children.first { $0.kind == kind } }

  /// A text that is equal only for equal trees.
  var serialized: String {
    let called = text.isEmpty ? "" : "=\(text.utf8.count):\(text)"
    return kind + called + (index.map { "#\($0)" } ?? "") + "(\(children.map(\.serialized).joined()))"
  }
}

/// Parses the output of `swift-demangle -tree-only`.
///
/// Trees have hundreds of lines; bytes are ten times faster than strings in a debug build.
struct DemangledTrees {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var place = 0
  /// Deeper than any real symbol; limits recursion.
  private static let deepest = 400

  /// - Parameter symbols: The symbols passed to the program, in order.
  /// - Returns: A tree for each symbol, if it has one; `nil` for unexpected output.
  static func read(_ output: [UInt8], of symbols: [String]) -> [DemangledNode?]? {
    output.withUnsafeBufferPointer { bytes in
      var reader = DemangledTrees(bytes: bytes)
      var trees: [DemangledNode?] = []
      for symbol in symbols {
        guard reader.take("Demangling for \(symbol)\n") else {
          // A text that is no symbol is echoed.
          guard reader.take("\(symbol)\n") else { return nil }
          trees.append(nil)
          continue
        }
        let tree = reader.node(depth: 0)
        trees.append(reader.skipTree() ? tree : nil)
      }
      return reader.place == bytes.count ? trees : nil
    }
  }

  private mutating func take(_ text: String) -> Bool {
    guard isAt(text) else { return false }
    place += text.utf8.count
    return true
  }

  private func isAt(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { text in
      var index = 0
      guard bytes.count - place >= text.count else { return false }
      while index < text.count, bytes[place + index] == text[index] { index += 1 }
      return index == text.count
    }
  }

  private var lineEnd: Int {
    var end = place
    while end < bytes.count, bytes[end] != UInt8(ascii: "\n") { end += 1 }
    return end
  }

  /// Skips the rest of a tree.
  ///
  /// - Returns: True when nothing was left.
  private mutating func skipTree() -> Bool {
    var isWhole = true
    while place < bytes.count, !isAt("Demangling for "), !isAt("$") {
      let end = lineEnd
      if end > place { isWhole = false }
      place = min(end + 1, bytes.count)
    }
    return isWhole
  }

  /// Parses lines `kind=K`, `kind=K, text="T"` or `kind=K, index=N`.
  private mutating func node(depth: Int) -> DemangledNode? {
    let start = place
    while place < bytes.count, bytes[place] == UInt8(ascii: " ") { place += 1 }
    guard place - start == 2 * depth, depth < Self.deepest, take("kind=") else {
      place = start
      return nil
    }
    let (kind, end) = (place, lineEnd)
    while place < end, bytes[place] != UInt8(ascii: ",") { place += 1 }
    var node = DemangledNode(kind: text(kind..<place))
    if take(", text=\""), place < end, bytes[end - 1] == UInt8(ascii: "\"") {
      node.text = text(place..<end - 1)
    } else if take(", index=") {
      node.index = Int(text(place..<end))
    }
    place = min(end + 1, bytes.count)
    while let child = self.node(depth: depth + 1) { node.children.append(child) }
    return node
  }

  private func text(_ range: Range<Int>) -> String {
    String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self)
  }
}

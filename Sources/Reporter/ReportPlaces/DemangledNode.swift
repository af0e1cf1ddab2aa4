/// A node of the tree that `swift-demangle -tree-only` prints of a Swift symbol.
///
/// The tree says what the printed name leaves to be guessed: which part is the module, a closure or a thunk.
struct DemangledNode: Equatable, Sendable {
  /// The name of a kind of `swift::Demangle::Node`.
  var kind: String
  /// The name of an identifier or a module; empty for most nodes.
  var text = ""
  var index: Int?
  var children: [DemangledNode] = []

  subscript(kind: String) -> DemangledNode? { children.first { $0.kind == kind } }

  /// Everything below the node in one text, equal for equal trees only.
  var serialized: String {
    let called = text.isEmpty ? "" : "=\(text.utf8.count):\(text)"
    return kind + called + (index.map { "#\($0)" } ?? "") + "(\(children.map(\.serialized).joined()))"
  }
}

/// The trees of symbols, as `swift-demangle -tree-only` prints them one behind the other.
///
/// A tree has hundreds of lines, so they are read byte by byte: a debug build takes a tenth of the time that texts take.
struct DemangledTrees {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var place = 0
  /// No real symbol is deeper; each level takes stack.
  private static let deepest = 400

  /// Reads the trees of all symbols that were asked for.
  ///
  /// - Parameter symbols: In the order in which they were asked for.
  /// - Returns: The trees in that order, `nil` for a symbol without one; or `nil` for an output that is not of these
  ///   symbols.
  static func read(_ output: [UInt8], of symbols: [String]) -> [DemangledNode?]? {
    output.withUnsafeBufferPointer { bytes in
      var reader = DemangledTrees(bytes: bytes)
      var trees: [DemangledNode?] = []
      for symbol in symbols {
        guard reader.take("Demangling for \(symbol)\n") else {
          // A text that it does not take for a symbol is repeated.
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

  /// The place of the next line's end.
  private var lineEnd: Int {
    var end = place
    while end < bytes.count, bytes[end] != UInt8(ascii: "\n") { end += 1 }
    return end
  }

  /// Skips what could not be read of a tree, and the empty line behind it.
  ///
  /// - Returns: True when the tree was whole.
  private mutating func skipTree() -> Bool {
    var isWhole = true
    while place < bytes.count, !isAt("Demangling for "), !isAt("$") {
      let end = lineEnd
      if end > place { isWhole = false }
      place = min(end + 1, bytes.count)
    }
    return isWhole
  }

  /// Reads the node of the next line, if it is one of that depth, with all below it: `kind=K`, `kind=K, text="T"` or
  /// `kind=K, index=N`.
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

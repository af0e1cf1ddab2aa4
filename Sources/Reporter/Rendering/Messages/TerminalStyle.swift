/// How a terminal would show text, as far as the style sheet can.
///
/// Colours are those of the report's own palette, which can be read on light and dark ground: the sixteen of a
/// terminal, and the nearest of them for the 256 and the true colours.
struct TerminalStyle: Equatable {
  /// Of the palette, 0 to 15.
  private var ink: Int?
  private var ground: Int?
  private var isBold = false
  private var isDim = false
  private var isItalic = false
  private var isUnderlined = false
  private var isStruck = false
  private var isInverse = false

  /// The classes of the style sheet; `nil` for plain text.
  var classes: String? {
    let (ink, ground) = isInverse ? (ground, ink ?? 7) : (ink, ground)
    var classes: [String] = []
    // Text on a coloured ground keeps the ordinary ink: not every pair of colours can be read.
    if let ground { classes.append("ansi-on-\(ground)") } else if let ink { classes.append("ansi-\(ink)") }
    if isDim && ink == nil && ground == nil { classes.append("ansi-8") }
    if isBold { classes.append("ansi-bold") }
    if isItalic { classes.append("ansi-italic") }
    if isUnderlined { classes.append("ansi-underline") }
    if isStruck { classes.append("ansi-strike") }
    return classes.isEmpty ? nil : classes.joined(separator: " ")
  }

  /// Applies the parameters of a Select Graphic Rendition.
  mutating func apply(_ bytes: ArraySlice<UInt8>) {
    // Private parameters such as `>4` select no rendition.
    if let first = bytes.first, (UInt8(ascii: "<")...UInt8(ascii: "?")).contains(first) { return }
    let groups = bytes.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).prefix(64)
    var parameters = groups.map { Self.numbers($0) }[...]
    while let parameter = parameters.popFirst() { apply(parameter, &parameters) }
  }

  /// A parameter and its parts after colons; what is no number is 0, as what is left out.
  private static func numbers(_ group: ArraySlice<UInt8>) -> [Int] {
    group.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).prefix(8)
      .map { Int(String(decoding: $0, as: UTF8.self)) ?? 0 }
  }

  private mutating func apply(_ parameter: [Int], _ rest: inout ArraySlice<[Int]>) {
    switch parameter.first ?? 0 {
    case 0: self = TerminalStyle()
    case 1: isBold = true
    case 2: isDim = true
    case 3: isItalic = true
    case 4: isUnderlined = parameter.dropFirst().first != 0
    case 7: isInverse = true
    case 9: isStruck = true
    case 21: isUnderlined = true
    case 22: (isBold, isDim) = (false, false)
    case 23: isItalic = false
    case 24: isUnderlined = false
    case 27: isInverse = false
    case 29: isStruck = false
    case let color where (30...37).contains(color): ink = color - 30
    case 38: ink = Self.extended(parameter, &rest)
    case 39: ink = nil
    case let color where (40...47).contains(color): ground = color - 40
    case 48: ground = Self.extended(parameter, &rest)
    case 49: ground = nil
    case let color where (90...97).contains(color): ink = color - 82
    case let color where (100...107).contains(color): ground = color - 92
    default: break
    }
  }

  /// The colour of `38;5;N`, `38;2;R;G;B` and the same with colons, of which the second may name a colour space.
  private static func extended(_ parameter: [Int], _ rest: inout ArraySlice<[Int]>) -> Int? {
    if parameter.count > 1 {
      let values = Array(parameter.dropFirst(2))
      if parameter[1] == 5 { return values.first.flatMap(TerminalPalette.indexed) }
      return parameter[1] == 2 && values.count >= 3 ? TerminalPalette.nearest(values.suffix(3)) : nil
    }
    switch rest.popFirst()?.first {
    case 5: return rest.popFirst()?.first.flatMap(TerminalPalette.indexed)
    case 2:
      let values = rest.prefix(3).map { $0.first ?? 0 }
      rest = rest.dropFirst(3)
      return values.count == 3 ? TerminalPalette.nearest(values[...]) : nil
    default: return nil
    }
  }
}

/// Finds the nearest of a terminal's sixteen colours.
private enum TerminalPalette {
  /// One of xterm's 256 colours: the sixteen, a cube of 6 × 6 × 6, and 24 greys.
  static func indexed(_ index: Int) -> Int? {
    switch index {
    case 0..<16: return index
    case 16..<232:
      let levels = [0, 95, 135, 175, 215, 255]
      let cube = index - 16
      return nearest([levels[cube / 36], levels[cube / 6 % 6], levels[cube % 6]])
    case 232..<256: return nearest([8 + (index - 232) * 10, 8 + (index - 232) * 10, 8 + (index - 232) * 10])
    default: return nil
    }
  }

  /// By hue, and for what has hardly any by lightness.
  ///
  /// - Parameter values: Red, green and blue, 0 to 255.
  static func nearest(_ values: ArraySlice<Int>) -> Int? {
    guard values.count == 3, values.allSatisfy((0...255).contains) else { return nil }
    let (red, green, blue) = (values.first ?? 0, values.dropFirst().first ?? 0, values.last ?? 0)
    let (low, high) = (min(red, green, blue), max(red, green, blue))
    if high - low < 48 { return high < 64 ? 0 : high < 150 ? 8 : high < 230 ? 7 : 15 }
    let half = (low + high) / 2
    // The channels that are on make red 1, green 2 and blue 4, as terminals number them.
    let color = (red > half ? 1 : 0) + (green > half ? 2 : 0) + (blue > half ? 4 : 0)
    return high > 215 ? color + 8 : color
  }
}

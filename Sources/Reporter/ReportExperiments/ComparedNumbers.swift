/// The two numbers that an assertion of equality compares.
package enum ComparedNumbers {
  /// True where a message has one of another's two numbers again, and the other one nearer to it.
  package static func isNearer(_ message: String, than other: String) -> Bool {
    let (new, old) = (numbers(message), numbers(other))
    guard new.count == 2, old.count == 2, new != old, new[0] == old[0] || new[1] == old[1] else {
      return false
    }
    return abs(new[0] - new[1]) < abs(old[0] - old[1])
  }

  /// The numbers of a message, not those that are parts of words.
  private static func numbers(_ message: String) -> [Double] {
    message.prefix(1000).split { !($0.isASCII && ($0.isNumber || $0.isLetter || "-.+_".contains($0))) }
      .map { $0.hasSuffix(".") ? $0.dropLast() : $0 }.compactMap { Double($0) }.filter(\.isFinite)
  }
}

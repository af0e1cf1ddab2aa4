/// The two numbers compared by a failing assertion.
package enum ComparedNumbers {
  /// True when a message has the same expected number and a nearer actual one.
  package static func isNearer(_ message: String, than other: String) -> Bool {
    let (new, old) = (numbers(message), numbers(other))
    guard new.count == 2, old.count == 2, new != old, new[0] == old[0] || new[1] == old[1] else {
      return false
    }
    return abs(new[0] - new[1]) < abs(old[0] - old[1])
  }

  private static func numbers(_ message: String) -> [Double] {
    message.prefix(1000).split { !($0.isASCII && ($0.isNumber || $0.isLetter || "-.+_".contains($0))) }
      .map { $0.hasSuffix(".") ? $0.dropLast() : $0 }.compactMap { Double($0) }.filter(\.isFinite)
  }
}

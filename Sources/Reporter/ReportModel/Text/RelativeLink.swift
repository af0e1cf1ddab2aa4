/// A link to a file of the report; `nil` when the path leaves its folder.
///
/// Percent-encoding keeps a name from being a scheme, query or fragment. The link is not escaped for HTML.
///
/// - Parameters:
///   - path: Relative to the report folder.
///   - base: From the page to the report folder, such as `../`.
package func relativeLink(to path: String, from base: String = "") -> String? {
  let segments = path.utf8.split(separator: slash, omittingEmptySubsequences: false)
  guard segments.allSatisfy({ !$0.isEmpty && !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8) })
  else { return nil }
  return base + encodedPath(path)
}

package func fileAddress(of path: String) -> String {
  "file://" + encodedPath(path)
}

package func encodedPath(_ path: String) -> String { encoded(path) { isUnreserved($0) || $0 == slash } }

private let slash = UInt8(ascii: "/")

/// A web link; `nil` for anything but `https` and `http`.
package func webLink(_ address: String) -> String? {
  for scheme in ["https://", "http://"] where address.utf8.starts(with: scheme.utf8) {
    let rest = address.utf8.dropFirst(scheme.utf8.count)
    guard let first = rest.first, isUnreserved(first) || first == UInt8(ascii: "[") else { return nil }
    return scheme + encoded(String(Substring(rest))) { isUnreserved($0) || addressSigns.contains($0) }
  }
  return nil
}

private let addressSigns = Set("%:/?#[]@!$&'()*+,;=".utf8)

private func encoded(_ text: String, keeping isKept: (UInt8) -> Bool) -> String {
  if text.utf8.allSatisfy(isKept) { return text }
  var result = ""
  for byte in text.utf8 {
    if isKept(byte) {
      result.unicodeScalars.append(Unicode.Scalar(byte))
    } else {
      result += "%" + padded(String(byte, radix: 16, uppercase: true), to: 2, with: "0")
    }
  }
  return result
}

package func isUnreserved(_ byte: UInt8) -> Bool {
  byte.isLetter || byte.isDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "~")
}

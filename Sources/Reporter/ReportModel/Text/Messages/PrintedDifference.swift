/// Reads swift-custom-dump's lines with `−` and `+`, and a legend such as `(First: −, Second: +)`.
func readPrintedDifference(_ text: String) -> FailureMessage.Difference? {
  guard text.utf8.contains(UInt8(ascii: "+")) else { return nil }
  let lines = textLines(of: text)
  guard let legendIndex = lines.lastIndex(where: { legend($0) != nil }),
    let names = legend(lines[legendIndex]),
    let column = lines[..<legendIndex].lazy.compactMap(signColumn).first,
    let start = blockStart(in: lines[..<legendIndex], column: column)
  else { return nil }
  let body = lines[start..<legendIndex].reversed().drop(while: isBlank).reversed()
  let signed = body.map { signedLine($0, column: column) }
  let note = lines[(legendIndex + 1)...].joined(separator: "\n").trimmed
  return FailureMessage.Difference(
    headline: lines[..<start].joined(separator: "\n").trimmed, leftLabel: names.left,
    rightLabel: names.right, lines: markingWords(in: signed), note: note.isEmpty ? nil : note)
}

private func legend(_ line: Substring) -> (left: String, right: String)? {
  guard line.utf8.last(where: { $0 != UInt8(ascii: " ") }) == UInt8(ascii: ")"),
    let match = line.wholeMatch(of: /\s*\(([A-Za-z ]{1,40}): [−-], ([A-Za-z ]{1,40}): \+\)\s*/)
  else { return nil }
  return (String(match.1), String(match.2))
}

private func signColumn(_ line: Substring) -> Int? {
  guard let place = line.firstIndex(where: { !isSpace($0) }), "−-+".contains(line[place]) else { return nil }
  let next = line.index(after: place)
  guard next == line.endIndex || isSpace(line[next]) else { return nil }
  return line.distance(from: line.startIndex, to: place)
}

private func blockStart(in lines: ArraySlice<Substring>, column: Int) -> Int? {
  guard let firstSigned = lines.firstIndex(where: { signColumn($0) == column }) else { return nil }
  let before = lines[..<firstSigned]
  let outside = before.lastIndex { line in isBlank(line) || line.prefix(while: isSpace).count <= column }
  return outside.map { $0 + 1 } ?? lines.startIndex
}

private func signedLine(_ line: Substring, column: Int) -> DiffLine {
  let rest = line.dropFirst(column)
  let text = String(rest.dropFirst(2))
  switch rest.first {
  case "−", "-": return DiffLine(.removed, text)
  case "+": return DiffLine(.added, text)
  default: return DiffLine(.same, text)
  }
}

/// custom-dump pads with figure spaces.
private func isSpace(_ character: Character) -> Bool { character == " " || character == "\u{2007}" }

private func isBlank(_ line: Substring) -> Bool { line.allSatisfy(isSpace) }

/// Marks the words in which removed lines differ from the added ones behind them.
package func markingWords(in lines: [DiffLine]) -> [DiffLine] {
  var result = lines
  var index = 0
  while index < lines.count {
    let removed = run(of: .removed, in: lines, from: index)
    let added = run(of: .added, in: lines, from: removed.upperBound)
    for (old, new) in zip(removed, added) {
      (result[old].spans, result[new].spans) = wordDiff(from: lines[old].text, to: lines[new].text)
    }
    index = max(added.upperBound, index + 1)
  }
  return result
}

private func run(of kind: DiffLine.Kind, in lines: [DiffLine], from start: Int) -> Range<Int> {
  start..<(lines[start...].firstIndex { $0.kind != kind } ?? lines.count)
}

private let mostWords = 1200

/// Lines with little in common are marked as a whole.
private func wordDiff(from old: String, to new: String) -> (old: [DiffLine.Span], new: [DiffLine.Span]) {
  let (oldWords, newWords) = (words(old), words(new))
  guard max(oldWords.count, newWords.count) <= mostWords else { return (whole(old), whole(new)) }
  let (removed, added) = changedOffsets(from: oldWords, to: newWords)
  let equalLength = oldWords.indices.filter { !removed.contains($0) }.reduce(0) { $0 + oldWords[$1].count }
  guard equalLength * 3 >= max(old.count, new.count) else { return (whole(old), whole(new)) }
  return (spans(oldWords, changed: removed), spans(newWords, changed: added))
}

private func whole(_ text: String) -> [DiffLine.Span] {
  text.isEmpty ? [] : [DiffLine.Span(text: text, isChanged: true)]
}

private func spans(_ words: [Substring], changed: Set<Int>) -> [DiffLine.Span] {
  var spans: [DiffLine.Span] = []
  for (index, word) in words.enumerated() {
    let isChanged = changed.contains(index)
    if let last = spans.indices.last, spans[last].isChanged == isChanged {
      spans[last].text += word
    } else {
      spans.append(DiffLine.Span(text: String(word), isChanged: isChanged))
    }
  }
  return spans
}

private func words(_ text: String) -> [Substring] {
  var words: [Substring] = []
  var rest = text[...]
  while let first = rest.first {
    let word =
      if isWordSign(first) {
        rest.prefix(while: isWordSign)
      } else if first.isWhitespace {
        rest.prefix(while: \.isWhitespace)
      } else {
        rest.prefix(1)
      }
    words.append(word)
    rest = rest[word.endIndex...]
  }
  return words
}

private func isWordSign(_ character: Character) -> Bool {
  character.isLetter || character.isNumber || character == "_"
}

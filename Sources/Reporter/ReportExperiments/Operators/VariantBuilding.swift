import ReportModel

extension ParsedStatement {
  /// Applies edits, keeping parameter numbers and column names; `nil` when impossible.
  func variant(_ change: Change, _ operatorName: String) -> StatementVariant? {
    guard let own = sorted(change.edits) else { return nil }
    let plain = plain(own)
    let all = plain ?? own
    guard let edits = sorted(all + names(for: all, isNumbered: plain == nil)),
      keepsParameters(edits, numbered: plain == nil)
    else { return nil }
    let sql = edited(edits, numbered: plain == nil)
    guard sql != self.sql else { return nil }
    return StatementVariant(
      sql: sql, operatorName: operatorName, words: words(change.words, bare: false),
      bare: words(change.words, bare: true), rank: change.rank)
  }

  /// A part's text with numbered parameters, usable elsewhere.
  func text(_ range: Range<Int>) -> String {
    guard let first = range.first, let last = range.last, last < tokens.count else { return "" }
    return text(from: tokens[first].text.startIndex, to: tokens[last].text.endIndex, range, numbered: true)
  }

  /// A true condition that keeps a part's parameters.
  func truth(_ range: Range<Int>) -> String {
    let kept = kept(range)
    return kept.isEmpty ? "1" : "(1 OR \(kept.joined(separator: " OR ")))"
  }

  /// A false condition that keeps a part's parameters.
  func falsity(_ range: Range<Int>) -> String {
    let kept = kept(range)
    return kept.isEmpty ? "0" : "(0 AND \(kept.joined(separator: " AND ")))"
  }

  /// A value that keeps a part's parameters.
  func value(_ text: String, keeping range: Range<Int>) -> String {
    kept(range).isEmpty ? text : "CASE WHEN \(truth(range)) THEN \(text) END"
  }

  func kept(_ range: Range<Int>) -> [String] {
    range.filter { tokens[$0].kind == .parameter }.map { text($0..<$0 + 1) }
  }

  // MARK: - Editing

  private func sorted(_ edits: [Edit]) -> [Edit]? {
    let order = edits.indices.sorted {
      (edits[$0].place.lowerBound, $0) < (edits[$1].place.lowerBound, $1)
    }
    var (sorted, end): ([Edit], Int) = ([], 0)
    for index in order {
      guard edits[index].place.lowerBound >= end, edits[index].place.upperBound <= tokens.count else {
        return nil
      }
      end = edits[index].place.upperBound
      sorted.append(edits[index])
    }
    return sorted
  }

  /// The edits with anonymous parameters, if all keep their numbers.
  private func plain(_ edits: [Edit]) -> [Edit]? {
    if !parameters.hasAnonymous { return edits }
    if parameters.hasNumbered { return nil }
    let plain = edits.compactMap { edit in withoutNumbers(edit).map { Edit(edit.place, $0) } }
    return plain.count == edits.count ? plain : nil
  }

  private func edited(_ edits: [Edit], numbered: Bool) -> String {
    var pieces = StatementPieces()
    var done = 0
    for edit in edits {
      add(done..<edit.place.lowerBound, to: &pieces, numbered: numbered)
      if !edit.text.isEmpty, let first = edit.place.first { pieces.addGap(gap(before: first)) }
      if edit.text.isEmpty { pieces.isBehindRemoval = true }
      pieces.add(edit.text)
      done = edit.place.upperBound
    }
    add(done..<tokens.count, to: &pieces, numbered: numbered)
    return pieces.text
  }

  private func add(_ range: Range<Int>, to pieces: inout StatementPieces, numbered: Bool) {
    guard let first = range.first, let last = range.last else { return }
    pieces.addGap(gap(before: first))
    pieces.add(
      text(from: tokens[first].text.startIndex, to: tokens[last].text.endIndex, range, numbered: numbered))
  }

  private func gap(before index: Int) -> Substring {
    let start = index == 0 ? sql.startIndex : tokens[index - 1].text.endIndex
    return sql[start..<tokens[index].text.startIndex]
  }

  private func text(
    from start: String.Index, to end: String.Index, _ range: Range<Int>, numbered: Bool
  ) -> String {
    guard numbered, parameters.hasAnonymous else { return String(sql[start..<end]) }
    var (text, place) = ("", start)
    for index in range where tokens[index].text == "?" {
      text += sql[place..<tokens[index].text.startIndex] + "?\(parameters.numbers[index])"
      place = tokens[index].text.endIndex
    }
    return text + sql[place..<end]
  }

  /// An edit's text with anonymous parameters, if they are those replaced, in order.
  private func withoutNumbers(_ edit: Edit) -> String? {
    let old = edit.place.filter { tokens[$0].text == "?" }.map { "?\(parameters.numbers[$0])" }
    let new = StatementToken.all(in: edit.text).filter { $0.kind == .parameter && $0.text.first == "?" }
    guard new.map({ String($0.text) }) == old else { return nil }
    var (text, place) = ("", edit.text.startIndex)
    for token in new {
      text += edit.text[place..<token.text.startIndex] + "?"
      place = token.text.endIndex
    }
    return text + edit.text[place...]
  }

  private func keepsParameters(_ edits: [Edit], numbered: Bool) -> Bool {
    var texts: [Substring] = []
    var rest = parameters.places[...]
    func take(before end: Int, isKept: Bool) {
      while let place = rest.first, place < end {
        rest = rest.dropFirst()
        guard isKept else { continue }
        texts.append(
          numbered && tokens[place].text == "?" ? "?\(parameters.numbers[place])" : tokens[place].text)
      }
    }
    for edit in edits {
      take(before: edit.place.lowerBound, isKept: true)
      take(before: edit.place.upperBound, isKept: false)
      texts += StatementToken.all(in: edit.text).filter { $0.kind == .parameter }.map(\.text)
    }
    take(before: tokens.count, isKept: true)
    let numbers = ParameterNumbers(texts)
    return numbers.largest == parameters.largest && numbers.named == parameters.named
  }
}

/// Concatenates parts that must stay separate tokens.
struct StatementPieces {
  private(set) var text = ""
  var isBehindRemoval = false
  private var gap = ""

  mutating func addGap(_ gap: Substring) {
    // A removed first part takes its gap along.
    let isDropped =
      isBehindRemoval && text.utf8.last == UInt8(ascii: "(") && gap.utf8.allSatisfy { $0 <= 0x20 }
    isBehindRemoval = false
    if !isDropped { self.gap += gap }
  }

  mutating func add(_ part: String) {
    guard let first = part.utf8.first else { return }
    if gap.isEmpty, let last = text.utf8.last, Self.runTogether(last, first) { gap = " " }
    text += gap + part
    gap = ""
  }

  private static let signs = Set("<>=!|-+/*&".utf8)

  private static func runTogether(_ last: UInt8, _ first: UInt8) -> Bool {
    func isWord(_ byte: UInt8) -> Bool { byte.isWord || "$?:@'\"`[.".utf8.contains(byte) }
    if last == UInt8(ascii: "]") || last == UInt8(ascii: ")") {
      return isWord(first) && first != UInt8(ascii: ".")
    }
    if isWord(last), last != UInt8(ascii: ".") { return isWord(first) && first != UInt8(ascii: ".") }
    return signs.contains(last) && signs.contains(first)
  }
}

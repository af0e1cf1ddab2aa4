/// A stretch of a list in which the same few elements stand again and again.
struct Repetition: Equatable {
  var start: Int
  var period: Int
  var times: Int

  var end: Int { start + period * times }

  private static let longestPeriod = 8
  private static let fewestTimes = 3

  /// Splits a list into repetitions and single elements.
  ///
  /// - Parameter likeness: Equal for elements that may be folded; `nil` for one that stands alone.
  static func all<Likeness: Equatable>(in likeness: [Likeness?]) -> [Repetition] {
    var found: [Repetition] = []
    var start = 0
    while start < likeness.count {
      let next = longest(in: likeness, from: start) ?? Repetition(start: start, period: 1, times: 1)
      found.append(next)
      start = next.end
    }
    return found
  }

  /// The one that covers the most, with the shortest period.
  private static func longest<Likeness: Equatable>(in likeness: [Likeness?], from start: Int) -> Repetition? {
    var best: Repetition?
    for period in 1...longestPeriod where start + fewestTimes * period <= likeness.count {
      guard likeness[start + period - 1] != nil else { break }
      var end = start + period
      while end < likeness.count, let element = likeness[end], element == likeness[end - period] { end += 1 }
      let repetition = Repetition(start: start, period: period, times: (end - start) / period)
      if repetition.times >= fewestTimes, repetition.end > best?.end ?? 0 { best = repetition }
    }
    return best
  }
}

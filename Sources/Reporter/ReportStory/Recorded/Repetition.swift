/// A stretch of a list that is the same few elements again and again, or one element.
struct Repetition: Equatable {
  var start: Int
  /// The number of elements that repeat themselves.
  var period: Int
  var times: Int

  var end: Int { start + period * times }

  private static let longestPeriod = 8
  private static let fewestTimes = 3

  /// Splits a list into repetitions, and into elements that stand alone.
  ///
  /// - Parameter likeness: For each element what equal ones share; `nil` for one that is never part of a repetition.
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

  /// The one that covers the most, with the fewest elements.
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

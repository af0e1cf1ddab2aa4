import Collector
import ReportModel

extension StoryBuilder {
  /// - Parameters:
  ///   - places: The places of the steps before the failure, without those of the set-up.
  ///   - highlights: The last one that is a read is the read that is told.
  func ending(_ places: [Int], _ highlights: [StoryHighlight]) -> [StoryEnding] {
    let namesConnection = Set(places.map { steps[$0].connection }).count > 1
    let writes = lastWrites(among: places).compactMap { write in
      StoryEnding(
        wrote: written(write).summary(naming: databases.list), in: write.map { steps[$0] },
        isUndone: isUndone(write), namesConnection: namesConnection)
    }
    let last = highlights.last { $0.kind == .read }?.last
    let read = places.last { steps[$0].number == last && !steps[$0].isWithheld }
    return writes + (read.map { [StoryEnding(read: steps[$0])] } ?? [])
  }

  /// By transaction, in their order: one, or two where the last but one is of another connection; none where all that
  /// was written is of one, and stands.
  func lastWrites(among places: [Int]) -> [[Int]] {
    let writes = allWrites(places).map(\.places)
    guard let last = writes.last else { return [] }
    if writes.count == 1, transactions.undone[last[0]] == nil { return [] }
    guard let before = writes.dropLast().last, steps[before[0]].connection != steps[last[0]].connection else {
      return [last]
    }
    return [before, last]
  }

  /// True when it is a read of the app, and the number of its rows was recorded.
  func isRead(_ place: Int) -> Bool {
    texts[place].isRead && !texts[place].isHousekeeping && steps[place].error == nil
      && steps[place].rows != nil
  }
}

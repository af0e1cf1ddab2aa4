import Collector
import ReportModel

extension StoryBuilder {
  /// - Parameters:
  ///   - places: The steps before the failure, without the set-up.
  ///   - highlights: The last read among them is told.
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

  /// The last transaction that wrote, and the one before it where that is of another connection; none where all
  /// writes are of one that stands.
  func lastWrites(among places: [Int]) -> [[Int]] {
    let writes = allWrites(places).map(\.places)
    guard let last = writes.last else { return [] }
    if writes.count == 1, transactions.undone[last[0]] == nil { return [] }
    guard let before = writes.dropLast().last, steps[before[0]].connection != steps[last[0]].connection else {
      return [last]
    }
    return [before, last]
  }

  func isRead(_ place: Int) -> Bool {
    texts[place].isRead && !texts[place].isHousekeeping && steps[place].error == nil
      && steps[place].rows != nil
  }
}

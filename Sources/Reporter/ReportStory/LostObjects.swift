import ReportInspection
import ReportModel

/// Triggers and indexes that went with a table which was dropped, and that nobody made again with the table of that name.
struct LostObjects {
  private struct Made {
    var what: String
    var name: String
    /// The table that it is for.
    var table: String
  }

  private static let most = 3

  /// The statements that did something that stood at the failure, in their order, with their places and databases.
  let statements: [(place: Int, database: Int, text: StatementText)]

  /// - Parameter places: The places of some steps.
  /// - Returns: `trigger stock_moved of stock went with it and was not made again`.
  func sentences(ofDropsAt places: Set<Int>) -> [String] {
    let drops = statements.filter { statement in
      if case .drop("TABLE", _) = statement.text.kind { places.contains(statement.place) } else { false }
    }
    return drops.flatMap { drop -> [String] in
      guard case .drop(_, let table) = drop.text.kind else { return [] }
      let own = statements.filter { $0.database == drop.database }
      let before = made(own.filter { $0.place < drop.place }.map(\.text))
      let (now, tables) = (made(own.map(\.text)), madeTables(own.map(\.text)))
      guard tables.contains(foldedName(table)) else { return [] }
      let names = Set(now.map { foldedName($0.name) })
      return before.filter {
        foldedName($0.table) == foldedName(table) && !names.contains(foldedName($0.name))
      }
      .prefix(Self.most)
      .map { "\($0.what.lowercased()) \($0.name) of \(table) went with it and was not made again" }
    }
  }

  /// What statements leave of triggers and indexes.
  private func made(_ texts: [StatementText]) -> [Made] {
    var made: [Made] = []
    for text in texts {
      switch text.kind {
      case .create(let what, let name) where what == "TRIGGER" || what == "INDEX":
        guard let subject = text.subject else { continue }
        made.append(Made(what: what, name: name, table: subject))
      case .drop("TABLE", let name): made.removeAll { foldedName($0.table) == foldedName(name) }
      case .drop(let what, let name):
        made.removeAll { $0.what == what && foldedName($0.name) == foldedName(name) }
      case .alter(let name):
        guard let new = text.newName else { continue }
        for index in made.indices where foldedName(made[index].table) == foldedName(name) {
          made[index].table = new
        }
      default: break
      }
    }
    return made
  }

  /// The names of the tables that are there after them, folded.
  private func madeTables(_ texts: [StatementText]) -> Set<String> {
    var tables: Set<String> = []
    for text in texts {
      switch text.kind {
      case .create("TABLE", let name): tables.insert(foldedName(name))
      case .drop("TABLE", let name): tables.remove(foldedName(name))
      case .alter(let name):
        guard let new = text.newName, tables.remove(foldedName(name)) != nil else { continue }
        tables.insert(foldedName(new))
      default: break
      }
    }
    return tables
  }
}

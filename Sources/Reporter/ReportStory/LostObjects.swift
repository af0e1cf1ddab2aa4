import Collector
import ReportInspection
import ReportModel

/// Finds triggers and indexes that went with a dropped table and were not made again.
struct LostObjects {
  struct Drop {
    var place: Int
    var table: String
    /// By folded name: `the trigger stock_moved`.
    fileprivate(set) var objects: [Object: String]
    /// The step that made the table anew; `nil` where it is gone.
    fileprivate(set) var madeAgain: Int?

    var texts: [String] { objects.values.sorted() }

    var sentence: String {
      "\(table) took along \(listed(texts)), and was made anew without \(objects.count == 1 ? "it" : "them")"
    }
  }

  struct Object: Hashable {
    var isTrigger: Bool
    var name: String
  }

  private(set) var drops: [Drop] = []
  private var objects: [StoryTable: [Object: String]] = [:]
  private var dropped: [StoryTable] = []
  /// Temporary tables, folded: a statement may mean these.
  private var temporary: Set<String> = []

  private func table(_ name: String, in database: Int) -> StoryTable {
    StoryTable(database: database, name: foldedName(name))
  }

  mutating func note(_ text: StatementText, in database: Int, _ number: Int, at place: Int?) {
    switch text.kind {
    case .create("TABLE", let name) where text.isTemporary: temporary.insert(foldedName(name))
    case .create("TABLE", let name):
      let table = table(name, in: database)
      objects[table] = nil
      madeAnew(table, number)
    case .create(let what, let name):
      guard let subject = text.subject, !text.isTemporary else { return }
      add(
        Object(isTrigger: what == "TRIGGER", name: foldedName(name)), "the \(what.lowercased()) \(name)",
        to: table(subject, in: database))
    case .drop(let what, let name) where what == "TABLE" || what == "VIEW":
      let table = table(name, in: database)
      let gone = objects.removeValue(forKey: table) ?? [:]
      for index in drops.indices where dropped[index] == table { drops[index].madeAgain = nil }
      guard what == "TABLE", let place, !gone.isEmpty, !temporary.contains(table.name) else { return }
      drops.append(Drop(place: place, table: name, objects: gone))
      dropped.append(table)
    case .drop(let what, let name):
      let object = Object(isTrigger: what == "TRIGGER", name: foldedName(name))
      for table in objects.keys where table.database == database { objects[table]?[object] = nil }
    case .alter(let name):
      guard let newName = text.newName else { return }
      let (old, new) = (table(name, in: database), table(newName, in: database))
      objects[new, default: [:]].merge(objects.removeValue(forKey: old) ?? [:]) { $1 }
      madeAnew(new, number)
    default: break
    }
  }

  private mutating func madeAnew(_ table: StoryTable, _ number: Int) {
    for index in drops.indices where dropped[index] == table { drops[index].madeAgain = number }
  }

  /// What is made again is not lost; an index may have another name then.
  private mutating func add(_ object: Object, _ words: String, to table: StoryTable) {
    objects[table, default: [:]][object] = words
    for index in drops.indices where dropped[index] == table {
      drops[index].objects = drops[index].objects.filter { lost, _ in
        object.isTrigger ? lost != object : lost.isTrigger
      }
    }
  }
}

extension StoryBuilder {
  /// Drops before the failure that took something along.
  func droppedWithTables() -> [LostObjects.Drop] {
    var lost = LostObjects()
    for overwritten in recorded.overwritten where overwritten.steps == 1 {
      lost.note(
        StatementText(overwritten.sql), in: databases[overwritten.connection, "main", at: .max] ?? 0,
        overwritten.first,
        at: nil)
    }
    for place in untilFailure where steps[place].error == nil && !steps[place].wasIdle {
      if transactions.undone[place] != nil, !isUndoneLater(place) { continue }
      lost.note(texts[place], in: databaseOfStep[place], steps[place].number, at: place)
    }
    return lost.drops.filter { !$0.objects.isEmpty }
  }
}

import Collector
import ExhibitSystem
import ReportModel
import ReportPlaces

/// Knows which database each step and each change of a recorded story is about.
struct StoryDatabases: Sendable {
  private(set) var list: [StoryDatabase] = []
  private var places: [String: Int] = [:]
  private var opened: [Int: [String: [(after: Int, database: Int)]]] = [:]
  private(set) var openers: [Int: Place] = [:]

  init(_ story: RecordedStory) {
    for database in story.databases {
      add(database.connection, database.schema.lowercased(), database.path, after: database.after)
    }
    for (connection, schemas) in opened {
      opened[connection] = schemas.mapValues { all in all.sorted { $0.after < $1.after } }
    }
    for connection in Set(story.steps.map(\.connection)).sorted() where opened[connection]?["main"] == nil {
      add(connection, "main", nil, after: 0)
    }
    nameThem()
  }

  private mutating func add(_ connection: Int, _ schema: String, _ path: String?, after: Int) {
    let path = path.flatMap { $0.isEmpty ? nil : $0 }
    let known = path.flatMap { places[$0] }
    let name =
      schema == "main" ? "in memory, connection \(connection)" : "\(schema) of connection \(connection)"
    if known == nil {
      if let path { places[path] = list.count }
      list.append(StoryDatabase(name: path ?? name, path: path))
    }
    opened[connection, default: [:]][schema, default: []].append(
      (after, known ?? list.count - 1))
  }

  mutating func note(_ openings: [RecordedStory.Opened], on stacks: [Int: CallStack]) {
    for opening in openings {
      guard let stack = opening.stack.flatMap({ stacks[$0] }), !stack.frames.isEmpty else { continue }
      if openers[opening.connection] == nil { openers[opening.connection] = stack.place }
      guard let database = self[opening.connection, "main", at: .max], list[database].opened == nil else {
        continue
      }
      list[database].opened = stack
    }
  }

  /// Databases that are searched for values of the message.
  static let mostSearched = 100
  private static let mostUnknown = 100
  private var unknown = 0

  /// Files of one name that are told apart by their folders; more have whole paths.
  private static let mostNamesakes = 50

  /// Files by their names, with as many folders as tell them apart.
  private mutating func nameThem() {
    if list.count == 1, list[0].path == nil { list[0].name = "in memory" }
    let paths = list.map { ($0.path ?? "").split(separator: "/") }
    let namesakes = Dictionary(grouping: list.indices.filter { list[$0].path != nil }) {
      paths[$0].last ?? ""
    }
    for indices in namesakes.values where indices.count <= Self.mostNamesakes {
      for index in indices {
        let path = paths[index]
        let length = (1...max(1, path.count)).first { length in
          indices.allSatisfy { $0 == index || paths[$0].suffix(length) != path.suffix(length) }
        }
        list[index].name = path.suffix(length ?? path.count).joined(separator: "/")
      }
    }
  }

  /// What a connection had open under a name at a step.
  subscript(connection: Int, schema: String, at step: Int) -> Int? {
    // Asked for each change, mostly by the name as it is kept.
    guard let own = opened[connection], let all = own[schema] ?? own[schema.lowercased()] else { return nil }
    return all[max(0, all.place { $0.after < step } - 1)].database
  }

  func has(_ connection: Int, _ database: Int) -> Bool {
    opened[connection]?.values.contains { $0.contains { $0.database == database } } == true
  }

  func main(of connection: Int) -> Int { self[connection, "main", at: .max] ?? 0 }

  /// What it changed, the attached one that it names, or `main`.
  mutating func database(of step: RecordedStory.Step, _ text: StatementText) -> Int {
    if let change = step.changes.first(where: { $0.depth == 0 }) {
      return database(of: change, at: step)
    }
    let named = text.qualifiers.filter { $0 != "main" }.compactMap {
      self[step.connection, $0, at: step.number]
    }
    return Set(named).count == 1 ? named[0] : self[step.connection, "main", at: step.number] ?? 0
  }

  /// Adds `temp`, and what was never said to be attached.
  mutating func database(of change: RecordedStory.Change, at step: RecordedStory.Step) -> Int {
    if let known = self[step.connection, change.schema, at: step.number] { return known }
    guard unknown < Self.mostUnknown else { return main(of: step.connection) }
    unknown += 1
    add(step.connection, change.schema.lowercased(), nil, after: 0)
    return list.count - 1
  }
}

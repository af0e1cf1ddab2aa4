import Collector

/// What the steps of a story do to one of its databases.
struct DatabaseEvents {
  private let builder: StoryBuilder
  private let database: Int
  /// Those that ever have it open, under any name.
  private var connections: Set<Int> = []
  /// By place of a step: the one that began before the first step of its connection.
  private var begunBefore: Set<Int> = []
  /// By number of a step: behind it the end of a transaction is not told.
  private var lost: Set<Int> = []

  init(_ builder: StoryBuilder, _ database: Int) {
    (self.builder, self.database) = (builder, database)
    for opened in builder.recorded.databases
    where builder.databases[opened.connection, opened.schema, at: opened.after + 1] == database {
      connections.insert(opened.connection)
    }
    for connection in builder.connections
    where builder.databases.main(of: connection) == database {
      connections.insert(connection)
    }
    for group in builder.transactions.groups {
      if group.beganBefore, let first = group.steps.first { begunBefore.insert(first) }
      if let step = group.lostAt { lost.insert(step) }
    }
  }

  /// Whether a step's connection had the database open under a name.
  private func isMeant(_ schema: String, by step: RecordedStory.Step) -> Bool {
    builder.databases[step.connection, schema, at: step.number] == database
  }

  /// What ends the states of all tables.
  func bounds(at place: Int) -> [StateBound] {
    let step = builder.steps[place]
    guard connections.contains(step.connection) else { return [] }
    var bounds: [StateBound] = []
    if begunBefore.contains(place) { bounds.append(.begunBefore(step: step.number)) }
    if lost.contains(step.number) { bounds.append(.endNotTold(step: step.number)) }
    if step.unkept > 0 { bounds.append(.unkept(step: step.number)) }
    if step.lacksRows, let reason = step.untold { bounds.append(.untold(step: step.number, reason)) }
    if step.isWithheld, step.changed ?? 0 > 0, step.changes.isEmpty {
      bounds.append(.withheld(step: step.number))
    }
    let isSchema = builder.changes(at: place, in: database).contains {
      $0.table == "sqlite_master" || $0.table == "sqlite_schema"
    }
    if isSchema { bounds.append(.schemaWritten(step: step.number)) }
    return bounds
  }

  /// What a step did to the tables of the database; `nil` for nothing.
  func effect(at place: Int) -> SchemaEffect.Statement? {
    let step = builder.steps[place]
    guard step.error == nil, let statement = builder.effects[place], !statement.isTemporary,
      connections.contains(step.connection)
    else { return nil }
    if let schema = statement.schema { return isMeant(schema, by: step) ? statement : nil }
    switch statement.effect {
    case .create, .vacuum, .replace: return isMeant("main", by: step) ? statement : nil
    // Which of the connection's databases has that table is not known.
    case .drop, .alter, .rename: return statement
    }
  }
}

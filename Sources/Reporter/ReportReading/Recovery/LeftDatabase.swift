import Collector
import ExhibitSystem
import ReportModel

/// A database file of tests that ran when their process died.
struct LeftDatabase: Sendable, Equatable {
  /// Absolute, as in SQLite.
  var path: String
  var file: FileIdentity?
  /// Seconds since 1970.
  var opened: Double
  /// True when some connection had it as its main database at the end.
  var isOpen: Bool
  var tests: [TestCaseID]
  var excludedTables: Set<String> = []
  /// Then `noted` is its earlier status, if known.
  var isTriedAgain = false
  var noted: [LeftFile]?
}

/// Follows a log's connections and running tests up to its end.
struct ConnectionTrail {
  fileprivate struct Connection {
    var files: [File] = []
    var ownership: Ownership
    var isOpen = true

    init(_ files: [File] = [], openedBy test: TestCaseID?) {
      self.files = files
      ownership = Ownership([.opened(by: test.map(Ownership.Opener.named) ?? .nobody)])
    }
  }

  fileprivate struct File {
    var path: String
    var identity: FileIdentity?
    var opened: Double
    /// Detaching an attached file is not logged.
    var isAttached = false
  }

  private var connections: [Int: Connection] = [:]
  private var numbers: [Int] = []
  private var running = RunningTests()
  private var serials: [TestCaseID: Int] = [:]
  private var testNumbers = Numbering<TestCaseID>()
  private var isMemoryUsed = false
  private var traceLack: String?
  private var exclusions: [TestCaseID: Set<String>] = [:]

  private var position = 0

  init(of log: LogContents) {
    for (position, record) in log.records.enumerated() {
      self.position = position
      Self.meanings.tell(record, to: &self)
    }
  }

  static let meanings = LogMeanings<ConnectionTrail>([
    LogMeaning(TestStart.self) { trail, start, record in
      guard let test = record.test else { return }
      trail.running.begin(
        Ownership.Test(number: trail.testNumbers.number(test), id: test, start: trail.position))
      // Nobody's steps have 0.
      trail.serials[test] = start.number > 0 ? start.number : nil
    },
    LogMeaning(TestEnd.self) { trail, _, record in
      if let test = record.test { trail.running.end(trail.testNumbers.number(test)) }
    },
    LogMeaning(DatabaseOpening.self) { trail, opening, record in trail.open(opening, record) },
    LogMeaning(DatabaseAttaching.self) { trail, attaching, record in trail.attach(attaching, record) },
    LogMeaning(DatabaseUse.self) { trail, use, record in trail.use(use.connection, by: record.test) },
    LogMeaning(DatabaseClosing.self) { trail, closing, _ in trail.close(closing.connection) },
    LogMeaning(TraceInMemory.self) { trail, trace, _ in trail.traceLack = trace.message },
    LogMeaning(ExcludedTables.self) { trail, excluded, record in
      if let test = record.test { trail.exclusions[test, default: []].formUnion(excluded.tables) }
    },
  ])

  private mutating func open(_ database: DatabaseOpening, _ record: LogRecord) {
    guard let path = database.path else {
      isMemoryUsed = true
      return
    }
    if connections[database.connection] == nil { numbers.append(database.connection) }
    let file = File(path: path, identity: database.file, opened: record.time)
    connections[database.connection] = Connection([file], openedBy: record.test)
  }

  /// An unknown connection has its main database in memory.
  private mutating func attach(_ database: DatabaseAttaching, _ record: LogRecord) {
    let number = database.connection
    if connections[number] == nil {
      numbers.append(number)
      connections[number] = Connection(openedBy: record.test)
    }
    if record.test != nil { use(number, by: record.test) }
    connections[number]?.files.append(
      File(path: database.path, identity: database.file, opened: record.time, isAttached: true))
  }

  private mutating func use(_ connection: Int, by test: TestCaseID?) {
    let user = test.map { testNumbers.number($0) }
    connections[connection]?.ownership.add(.used(by: user, at: position))
  }

  private mutating func close(_ connection: Int) {
    connections[connection]?.isOpen = false
    connections[connection]?.ownership.add(.closed)
  }

  var testsWithMemory: [TestCaseID] { isMemoryUsed ? running.all.map(\.id) : [] }

  var testsWithoutSteps: (tests: [TestCaseID], reason: String)? {
    traceLack.map { (running.all.map(\.id), $0) }
  }

  var stories: [LeftStory] {
    let claimants = Claimants(running)
    let isAlone = claimants.tests.count == 1
    var connected = LeftConnections()
    var own: [Int: Set<Int>] = [:]
    var shared: [Int: Set<Int>] = [:]
    for number in numbers {
      guard let connection = connections[number] else { continue }
      let claims = claimants.claims(to: connection.ownership)
      for place in claims.certain { own[place, default: []].insert(number) }
      for place in claims.shared { shared[place, default: []].insert(number) }
      if isAlone, connection.ownership.isOwned(by: claimants.tests[0], isAlone: true) {
        own[0, default: []].insert(number)
      }
      connected.add(number, claims.isUnclaimed ? claimants.tests.count : claims.sinceUnknownUse)
      for file in connection.files where !file.isAttached { connected.open(file.path, number) }
    }
    return claimants.tests.enumerated().compactMap { place, test in
      guard let serial = serials[test.id] else { return nil }
      return LeftStory(
        test: test.id, number: serial, place: place, ownConnections: own[place] ?? [],
        sharedConnections: shared[place] ?? [], connected: connected)
    }
  }

  /// In opening order.
  var databases: [LeftDatabase] {
    let claimants = Claimants(running)
    var found: [LeftDatabase] = []
    var owners: [Set<TestCaseID>] = []
    var positions: [String: Int] = [:]
    for connection in numbers.compactMap({ connections[$0] }) {
      let tests = claimants.owners(of: connection.ownership).map(\.id)
      guard !tests.isEmpty else { continue }
      for file in connection.files {
        let isOpen = connection.isOpen && !file.isAttached
        if let index = positions[file.path] {
          let more = tests.filter { owners[index].insert($0).inserted }
          found[index].add(file, isOpen: isOpen, more)
        } else {
          positions[file.path] = found.count
          found.append(
            LeftDatabase(
              path: file.path, file: file.identity, opened: file.opened, isOpen: isOpen, tests: tests))
          owners.append(Set(tests))
        }
      }
    }
    for index in found.indices {
      found[index].excludedTables = found[index].tests.reduce(into: []) { $0.formUnion(exclusions[$1] ?? []) }
    }
    return found
  }
}

extension LeftDatabase {
  fileprivate mutating func add(_ file: ConnectionTrail.File, isOpen: Bool, _ tests: [TestCaseID]) {
    (self.file, opened) = (file.identity, file.opened)
    self.isOpen = self.isOpen || isOpen
    self.tests += tests
  }
}

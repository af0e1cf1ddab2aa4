import Collector
import ExhibitSystem

/// A database file that the tests which ran when their process died had opened or used.
struct LeftDatabase: Sendable, Equatable {
  /// As SQLite knew it: absolute.
  var path: String
  /// Which file that was when it was last opened, where the log tells.
  var file: FileIdentity?
  /// Seconds since 1970 when it was last opened.
  var opened: Double
  /// Whether a connection whose main database it is was open when the log stopped.
  var isOpen: Bool
  /// Whose it is, in the order of their starts.
  var tests: [TestCaseID]
  /// Tables whose rows one of the tests wants in no capture.
  var excludedTables: Set<String> = []
  /// Whether an earlier report could not capture it, and its files as they were then, where they could be looked at.
  var isTriedAgain = false
  var noted: [LeftFile]?
}

/// What a log says of connections and of the tests that run, up to where it stops.
struct ConnectionTrail {
  fileprivate struct Connection {
    /// Its main file, unless that is in memory, and what it has attached.
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
    /// Nothing says when it was detached.
    var isAttached = false
  }

  private var connections: [Int: Connection] = [:]
  /// In the order of opening.
  private var numbers: [Int] = []
  private var running = RunningTests()
  /// The serials that the process gave its tests.
  private var serials: [TestCaseID: Int] = [:]
  /// A log tells tests apart by their names.
  private var testNumbers: [TestCaseID: Int] = [:]
  private var isMemoryUsed = false
  private var traceLack: String?
  private var exclusions: [TestCaseID: Set<String>] = [:]

  /// Of the record that is read.
  private var position = 0

  /// Reads a log that stops before its end.
  init(of log: LogContents) {
    for (position, record) in log.records.enumerated() {
      self.position = position
      Self.meanings.tell(record, to: &self)
    }
  }

  /// What records mean after the death of the process that wrote them; other kinds mean nothing then.
  static let meanings = LogMeanings<ConnectionTrail>([
    LogMeaning(TestStart.self) { trail, start, record in
      guard let test = record.test else { return }
      trail.running.begin(Ownership.Test(number: trail.number(of: test), id: test, start: trail.position))
      trail.serials[test] = start.number
    },
    LogMeaning(TestEnd.self) { trail, _, record in
      if let test = record.test { trail.running.end(trail.number(of: test)) }
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

  /// A connection that the log has not named before has its main database in memory.
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
    let user = test.map { number(of: $0) }
    connections[connection]?.ownership.add(.used(by: user, at: position))
  }

  private mutating func close(_ connection: Int) {
    connections[connection]?.isOpen = false
    connections[connection]?.ownership.add(.closed)
  }

  private mutating func number(of test: TestCaseID) -> Int {
    if let number = testNumbers[test] { return number }
    testNumbers[test] = testNumbers.count
    return testNumbers.count - 1
  }

  /// The tests that ran when the log stopped, if any test of the process had used databases in memory.
  var testsWithMemory: [TestCaseID] { isMemoryUsed ? running.all.map(\.id) : [] }

  /// The tests that ran when the log stopped and why nothing tells their steps, where the process kept these in memory.
  var testsWithoutSteps: (tests: [TestCaseID], reason: String)? {
    traceLack.map { (running.all.map(\.id), $0) }
  }

  /// The tests that ran when the log stopped, for their stories.
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

  /// The databases of these tests, in the order of opening.
  var databases: [LeftDatabase] {
    let claimants = Claimants(running)
    var found: [LeftDatabase] = []
    /// Whose each of them is.
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
          found.append(LeftDatabase(file, isOpen: isOpen, tests))
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
  fileprivate init(_ file: ConnectionTrail.File, isOpen: Bool, _ tests: [TestCaseID]) {
    self.init(
      path: file.path, file: file.identity, opened: file.opened, isOpen: isOpen, tests: tests)
  }

  /// A later connection to the same path.
  ///
  /// - Parameter tests: Those that it did not belong to before.
  fileprivate mutating func add(_ file: ConnectionTrail.File, isOpen: Bool, _ tests: [TestCaseID]) {
    (self.file, opened) = (file.identity, file.opened)
    self.isOpen = self.isOpen || isOpen
    self.tests += tests
  }
}

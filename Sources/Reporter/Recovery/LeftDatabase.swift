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

  /// Finds them in a log that stops before its end, in the order of opening.
  static func find(in log: LogContents) -> [LeftDatabase] {
    var trail = ConnectionTrail()
    for (position, record) in log.records.enumerated() { trail.add(record, at: position) }
    return trail.databases
  }

  /// The tests that ran when the log stopped, if any test of the process had used databases in memory.
  static func testsWithMemory(in log: LogContents) -> [TestCaseID] {
    var trail = ConnectionTrail()
    for (position, record) in log.records.enumerated() { trail.add(record, at: position) }
    return trail.testsWithMemory
  }
}

/// What a log says of connections and of the tests that run, up to where it stops.
private struct ConnectionTrail {
  fileprivate struct Connection {
    /// Its main file, unless that is in memory, and what it has attached.
    var files: [File] = []
    var opener: TestCaseID?
    var users: Set<TestCaseID> = []
    /// Where in the log somebody unknown last used it.
    var anonymousUse: Int?
    var isOpen = true
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
  /// Where in the log the tests began that have not ended.
  private var running: [(test: TestCaseID, start: Int)] = []
  private var isMemoryUsed = false
  private var exclusions: [TestCaseID: Set<String>] = [:]

  mutating func add(_ record: LogRecord, at position: Int) {
    switch record.event {
    case .testStarted: if let test = record.test { running.append((test, position)) }
    case .testFinished: running.removeAll { $0.test == record.test }
    case .databaseOpened(let opened): open(opened, record)
    case .databaseAttached(let attached): attach(attached, record)
    case .databaseUsed(let used): use(used.connection, by: record.test, at: position)
    case .databaseClosed(let closed): connections[closed.connection]?.isOpen = false
    case .tablesExcluded(let excluded):
      if let test = record.test { exclusions[test, default: []].formUnion(excluded.tables) }
    case .process, .issue, .fixtureUsed, .evidence, .captureFailed, .processFinished: break
    }
  }

  private mutating func open(_ database: OpenedDatabase, _ record: LogRecord) {
    guard let path = database.path else {
      isMemoryUsed = true
      return
    }
    if connections[database.connection] == nil { numbers.append(database.connection) }
    let file = File(path: path, identity: database.file, opened: record.time)
    connections[database.connection] = Connection(files: [file], opener: record.test)
  }

  /// A connection that the log has not named before has its main database in memory.
  private mutating func attach(_ database: OpenedDatabase, _ record: LogRecord) {
    guard let path = database.path else { return }
    let number = database.connection
    if connections[number] == nil {
      numbers.append(number)
      connections[number] = Connection(opener: record.test)
    }
    if let test = record.test { connections[number]?.users.insert(test) }
    connections[number]?.files.append(
      File(path: path, identity: database.file, opened: record.time, isAttached: true))
  }

  private mutating func use(_ number: Int, by test: TestCaseID?, at position: Int) {
    if let test {
      connections[number]?.users.insert(test)
    } else {
      connections[number]?.anonymousUse = position
    }
  }

  var testsWithMemory: [TestCaseID] { isMemoryUsed ? running.map(\.test) : [] }

  var databases: [LeftDatabase] {
    var found: [LeftDatabase] = []
    for connection in numbers.compactMap({ connections[$0] }) {
      let tests = owners(of: connection)
      guard !tests.isEmpty else { continue }
      for file in connection.files {
        let isOpen = connection.isOpen && !file.isAttached
        if let index = found.firstIndex(where: { $0.path == file.path }) {
          found[index].add(file, isOpen: isOpen, tests)
        } else {
          found.append(LeftDatabase(file, isOpen: isOpen, tests))
        }
      }
    }
    for index in found.indices {
      found[index].excludedTables = found[index].tests.reduce(into: []) { $0.formUnion(exclusions[$1] ?? []) }
    }
    return found
  }

  /// The running tests that opened or used it; where nobody is known to have, all that may have.
  private func owners(of connection: Connection) -> [TestCaseID] {
    let known = running.filter { test, _ in
      connection.users.contains(test) || connection.opener.map { $0.opens(for: test) } ?? false
    }
    if !known.isEmpty { return known.map(\.test) }
    guard connection.isOpen else { return [] }
    if let use = connection.anonymousUse {
      let before = running.filter { $0.start < use }
      if !before.isEmpty { return before.map(\.test) }
    }
    return connection.opener == nil && connection.users.isEmpty ? running.map(\.test) : []
  }
}

extension TestCaseID {
  /// Whether it is the test, the function whose case the test is, or a suite around it.
  fileprivate func opens(for test: TestCaseID) -> Bool {
    self == test || self == test.function
      || module == test.module && test.suite.starts(with: suite + [name])
  }
}

extension LeftDatabase {
  fileprivate init(_ file: ConnectionTrail.File, isOpen: Bool, _ tests: [TestCaseID]) {
    self.init(
      path: file.path, file: file.identity, opened: file.opened, isOpen: isOpen, tests: tests)
  }

  /// A later connection to the same path.
  fileprivate mutating func add(_ file: ConnectionTrail.File, isOpen: Bool, _ tests: [TestCaseID]) {
    (self.file, opened) = (file.identity, file.opened)
    self.isOpen = self.isOpen || isOpen
    self.tests += tests.filter { !self.tests.contains($0) }
  }
}

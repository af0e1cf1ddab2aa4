import Foundation
import Testing

@testable import ReportInspection

/// Findings in databases that nobody complains about; docs/why.md argues for each that a reader sees unfolded.
@Suite struct FalseAlarmTests {
  private func found(at path: String, all: Bool = false) throws -> DatabaseFindings {
    let inspection = inspectDatabase(at: path, rows: true)
    #expect(inspection.check == "ok" && inspection.tables.contains { $0.rowCount ?? 0 > 0 })
    let written = all ? try allRows(of: path, inspection) : WrittenRows()
    let found = examineDatabase(at: path, inspection, rows: true, written: written)
    #expect(found.unexamined == [] && !found.isCutByTime)
    return found.compared(with: nil, written)
  }

  /// As if the test had written every row of a database, each in a step of its own.
  private func allRows(of path: String, _ inspection: DatabaseInspection) throws -> WrittenRows {
    var (written, step) = (WrittenRows(), 0)
    let connection = try InspectionConnection(path: path, limits: InspectionLimits())
    for table in inspection.tables where table.kind == .ordinary {
      let examined = ExaminedTable(try inspection.schema.read(table.name))
      let statement = try connection.prepare(examined.query)
      while try statement.step() {
        step += 1
        if let key = examined.key(of: statement) {
          written.note(key, of: table.name, step: step, columns: nil)
        }
      }
    }
    #expect(step > 0)
    return written
  }

  /// A project with a shop, Django's own apps, their users, sessions and migrations.
  @Test(arguments: [false, true])
  func aDatabaseOfDjangoHasNone(all: Bool) throws {
    let folder = try TemporaryFolder()
    let dump = ThisPackage.file("Tests/Fixtures/Databases/django.sql")
    let path = try folder.database("django.sqlite", String(contentsOf: dump, encoding: .utf8))
    #expect(try found(at: path, all: all) == .init())
  }

  @Test(arguments: [false, true])
  func theFixturesOfTheExamplesHaveNone(all: Bool) throws {
    let folder = ThisPackage.file("Examples/Tests")
    let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    let databases = names.filter { $0.hasSuffix(".sqlite") }
    #expect(databases.count >= 4)
    for name in databases {
      let path = folder.appendingPathComponent(name).path
      let findings = try found(at: path, all: all).findings
      #expect(findings == [], "\(name): \(findings.map(\.sentence))")
    }
  }

  private static let projection = "/usr/share/proj/proj.db"

  @Test(.enabled(if: FileManager.default.fileExists(atPath: projection), "needs the database of proj-data"))
  func theDatabaseOfPROJHasNoneUnfolded() throws {
    let findings = try found(at: Self.projection).findings
    #expect(findings.filter { !$0.isFolded } == [])
    #expect(Set(findings.map(\.kind)).isSubset(of: [.nullBesideEmpty, .equalRows]))
    #expect(findings.count <= 6)
  }

  private static let hasFossil = (try? run("fossil", "version"))?.status == 0

  /// It writes 0 for no row in a column that refers, and has foreign keys off.
  @Test(.enabled(if: hasFossil, "needs fossil"), arguments: [false, true])
  func aRepositoryOfFossilHasOne(all: Bool) throws {
    let folder = try TemporaryFolder()
    let repository = try repository(in: folder)
    let findings = try found(at: repository, all: all).findings
    #expect(findings.map(\.kind) == [.brokenForeignKey], "\(findings.map(\.sentence))")
    #expect(findings.first?.table == "tagxref" && findings.first?.columns == ["srcid"])
  }

  /// One with files, branches, tickets, pages of its wiki and users.
  private func repository(in folder: TemporaryFolder) throws -> String {
    let checkout = try folder.makeFolder("checkout")
    var environment = Command.isolatedEnvironment
    (environment["HOME"], environment["USER"]) = (try folder.makeFolder("home"), "dev")
    func fossil(_ arguments: String..., input: String = "") throws {
      let result = try Command(["fossil"] + arguments, in: checkout, environment: environment, input: input)
        .run()
      try #require(result.status == 0, "fossil \(arguments): \(result.output)")
    }
    let path = folder("repository.fossil")
    try fossil("init", path)
    try fossil("open", "--force", path)
    for number in 1...4 {
      for file in ["a", "b"] {
        let lines = (1...number).map { "line \($0) of \(file)\n" }.joined()
        try folder.write(lines, to: "checkout/\(file).txt")
      }
      try fossil("add", ".")
      try fossil("commit", "-m", "Commit \(number)", "--no-warnings")
      try fossil("ticket", "add", "title", "Ticket \(number)", "status", "Open", "severity", "Minor")
      try fossil("wiki", "create", "Page \(number)", "-", input: "text \(number)\n")
    }
    try fossil("branch", "new", "feature", "trunk")
    try fossil("user", "new", "ann", "ann@example.com", "secret")
    return path
  }
}

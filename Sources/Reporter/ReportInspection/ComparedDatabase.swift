import ExhibitSQLite
import ExhibitSystem

/// One of two databases that are compared: its pages, its schema, and what SQLite says of its tables.
final class ComparedDatabase {
  /// Why it is not compared.
  struct Unreadable: Error {
    /// A sentence for the reader.
    var sentence: String
  }

  let pages: FilePages
  let state: DatabaseState
  let schema: [SchemaEntry]
  let connection: InspectionConnection
  /// Tables that modules keep for virtual ones, by name, with the virtual table's.
  let shadows: [SchemaName: SchemaName]

  /// - Throws: `Unreadable`, `Overdue`.
  init(_ path: String, clock: ComparisonClock, limits: InspectionLimits) throws {
    do {
      connection = try InspectionConnection(path: path, limits: limits)
      connection.allow(steps: limits.tableSteps)
      // What SQLite itself cannot open is not taken for the same as anything.
      _ = try connection.prepare("SELECT count(*) FROM sqlite_schema").step()
      let file = TimedFile(try InputFile(link: path), clock: clock)
      pages = try FilePages(file)
      state = try DatabaseState(pages)
      schema = try state.schema()
      shadows = try Self.shadows(of: schema, connection, limits)
    } catch let error as SQLiteError {
      throw Unreadable(sentence: "SQLite cannot compare the files: \(error.message).")
    } catch let damage as DamagedPage {
      throw Unreadable(sentence: "The files cannot be compared: \(damage.text).")
    } catch let error as SystemError {
      throw Unreadable(sentence: "The files cannot be compared: \(error).")
    }
  }

  private static func shadows(
    of schema: [SchemaEntry], _ connection: InspectionConnection, _ limits: InspectionLimits
  ) throws -> [SchemaName: SchemaName] {
    let virtual = Set(schema.filter(\.isVirtualTable).map { SchemaName($0.name) })
    guard !virtual.isEmpty else { return [:] }
    connection.allow(steps: limits.tableSteps)
    let list = try connection.prepare(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'shadow'")
    var shadows: [SchemaName: SchemaName] = [:]
    while try list.step() {
      let name = SchemaName(list.text(at: 0) ?? "")
      if let owner = name.beforeUnderscore, virtual.contains(owner) { shadows[name] = owner }
    }
    return shadows
  }

  /// The columns of a virtual table that a SELECT gives; `nil` when its module does not tell.
  func columns(ofVirtual name: String) -> [String]? {
    do {
      let list = try connection.prepare(
        "SELECT name FROM pragma_table_xinfo(\(SQLText.text(name))) WHERE hidden = 0")
      var columns: [String] = []
      while try list.step() { columns.append(list.text(at: 0) ?? "") }
      return columns.isEmpty ? nil : columns
    } catch {
      // Then those of the table that keeps its rows are shown.
      return nil
    }
  }
}

extension SchemaEntry {
  var isVirtualTable: Bool { isTable && rootPage == 0 }
}

/// The time for the whole comparison is over.
struct Overdue: Error {}

/// How long a comparison may take.
final class ComparisonClock: Sendable {
  private let deadline: ThreadDeadline

  init(_ limits: InspectionLimits) { deadline = ThreadDeadline(seconds: limits.totalTime) }

  /// - Throws: `Overdue`.
  func check() throws {
    if deadline.hasPassed { throw Overdue() }
  }
}

/// A file that is not read any more once the time is over.
private struct TimedFile: ReadableFile {
  private let file: InputFile
  private let clock: ComparisonClock

  init(_ file: InputFile, clock: ComparisonClock) { (self.file, self.clock) = (file, clock) }

  func size() throws -> Int { try file.size() }

  func fill(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws {
    try clock.check()
    try file.fill(buffer, at: offset)
  }
}

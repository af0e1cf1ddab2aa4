import ExhibitSQLite
import ExhibitSystem

/// One of two databases that are compared: its pages, its schema, and what SQLite says of its tables.
final class ComparedDatabase {
  /// The reason a database is not compared.
  struct Unreadable: Error {
    /// A sentence for the reader.
    var sentence: String
  }

  let pages: FilePages
  let state: DatabaseState
  let schema: [SchemaEntry]
  let connection: InspectionConnection
  /// Read of databases with virtual tables alone.
  private let declared: DatabaseSchema

  /// - Throws: `Unreadable`, `Overdue`.
  init(_ path: String, clock: ThreadDeadline, limits: InspectionLimits) throws {
    do {
      connection = try InspectionConnection(path: path, limits: limits)
      connection.allow(steps: limits.tableSteps)
      // A file that SQLite itself cannot open is not taken for the same as anything.
      _ = try connection.prepare("SELECT count(*) FROM sqlite_schema").step()
      let file = TimedFile(file: try InputFile(link: path), clock: clock)
      pages = try FilePages(file)
      state = try DatabaseState(pages)
      schema = try state.schema()
      let virtual = schema.filter(\.isVirtualTable).map(\.name)
      declared =
        virtual.isEmpty ? .init() : DatabaseSchema(of: connection, leading: virtual, limits: limits)
      if let failure = declared.failure { throw failure }
    } catch let error as SQLiteError {
      throw Unreadable(sentence: "SQLite cannot compare the files: \(error.message).")
    } catch let damage as DamagedPage {
      throw Unreadable(sentence: "The files cannot be compared: \(damage.text).")
    } catch let error as SystemError {
      throw Unreadable(sentence: "The files cannot be compared: \(error).")
    }
  }

  /// The tables that modules keep for virtual ones, with these.
  var shadows: [SchemaName: SchemaName] { declared.shadows }

  /// The columns of a virtual table that a SELECT gives; none when its module does not tell.
  func columns(ofVirtual name: String) -> [String] { declared.tables[name]?.columns.map(\.name) ?? [] }
}

extension SchemaEntry {
  var isVirtualTable: Bool { isTable && rootPage == 0 }
}

/// The time for the whole comparison is over.
struct Overdue: Error {}

extension ThreadDeadline {
  /// - Throws: `Overdue`.
  func check() throws {
    if hasPassed { throw Overdue() }
  }
}

/// A file that is not read any more once the time is over.
private struct TimedFile: ReadableFile {
  let file: InputFile
  let clock: ThreadDeadline

  func size() throws -> Int { try file.size() }

  func fill(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws {
    try clock.check()
    try file.fill(buffer, at: offset)
  }
}

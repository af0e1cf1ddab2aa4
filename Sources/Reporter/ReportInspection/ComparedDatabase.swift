import ExhibitSQLite
import ExhibitSystem

/// One of two databases being compared.
final class ComparedDatabase {
  struct Unreadable: Error {
    var sentence: String
  }

  let pages: FilePages
  let state: DatabaseState
  let schema: [SchemaEntry]
  let connection: InspectionConnection
  /// Only read for virtual tables.
  private let declared: DatabaseSchema

  /// - Throws: `Unreadable`, `Overdue`.
  init(_ path: String, clock: ThreadDeadline, limits: InspectionLimits) throws {
    do {
      connection = try InspectionConnection(path: path, limits: limits)
      connection.allow(steps: limits.tableSteps)
      // A file that SQLite cannot open equals nothing.
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

  /// Shadow tables with their virtual tables.
  var shadows: [SchemaName: SchemaName] { declared.shadows }

  /// The columns of a virtual table, if its module tells them.
  func columns(ofVirtual name: String) -> [String] { declared.tables[name]?.columns.map(\.name) ?? [] }
}

extension SchemaEntry {
  var isVirtualTable: Bool { isTable && rootPage == 0 }
}

struct Overdue: Error {}

extension ThreadDeadline {
  func check() throws {
    if hasPassed { throw Overdue() }
  }
}

/// A file that cannot be read after the time limit.
private struct TimedFile: ReadableFile {
  let file: InputFile
  let clock: ThreadDeadline

  func size() throws -> Int { try file.size() }

  func fill(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws {
    try clock.check()
    try file.fill(buffer, at: offset)
  }
}

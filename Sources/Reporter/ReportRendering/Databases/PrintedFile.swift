import Collector
import ExhibitSQLite
import ExhibitSystem
import ReportInspection
import ReportModel

/// A database file's facts for the terminal.
struct PrintedFile {
  let database: NamedDatabase
  let width: Int?

  var title: TerminalLine {
    var line = TerminalLine(database.name, .strong)
    if database.isLink { line.add(" → \(database.original)", .soft) }
    return line
  }

  func facts(_ inspection: DatabaseInspection) -> [TerminalLine] {
    let free = inspection.freePages > 0 ? ", \(grouped(inspection.freePages)) free" : ""
    let files = database.files
    let committed =
      files.committedBytes == files.bytes ? "" : ", \(sizeText(files.committedBytes)) as committed"
    var facts = [
      sizeText(files.bytes) + committed,
      "\(counted(inspection.pages, "page")) of \(grouped(inspection.pageSize)) bytes\(free)",
      inspection.encoding, database.isInWALMode ? "WAL mode" : "rollback mode",
    ]
    if database.header.isAutoVacuum { facts.append("auto_vacuum") }
    facts.append("user_version \(inspection.userVersion)")
    if database.header.applicationID != 0 {
      facts.append(Self.text(ofApplication: database.header.applicationID))
    }
    if let version = database.header.sqliteVersion { facts.append("written by SQLite \(version)") }
    return phrases(facts)
  }

  private func phrases(_ facts: [String]) -> [TerminalLine] {
    var lines: [TerminalLine] = []
    var text = ""
    for fact in facts {
      let longer = text.isEmpty ? fact : text + " · " + fact
      if let width, displayWidth(of: longer) > width, !text.isEmpty {
        lines.append(TerminalLine(text, .soft))
        text = fact
      } else {
        text = longer
      }
    }
    return (lines + [TerminalLine(text, .soft)]).flatMap { $0.wrapped(toWidth: width) }
  }

  private static func text(ofApplication id: UInt32) -> String {
    let bytes = (0..<4).map { UInt8(truncatingIfNeeded: id >> (24 - 8 * $0)) }
    let word =
      bytes.allSatisfy { (0x20...0x7E).contains($0) } ? " “\(String(decoding: bytes, as: UTF8.self))”" : ""
    return "application_id 0x\(hexadecimal(bytes))\(word)"
  }

  var warnings: [String] {
    let files = database.files
    var warnings: [String] = []
    if files.wal == .foreign {
      warnings.append(
        "The -wal beside it is not this database's own: \(files.walSigns.joined(separator: ", ")). It is left out"
          + " here, and SQLite would read it as part of the database. Whoever replaces a database file has to"
          + " delete its -wal first.")
    }
    if let frames = files.walFrames, frames.isBroken {
      warnings.append(
        "The -wal ends in a frame that is not whole; what follows it is not read, as SQLite has it.")
    }
    if files.wal == .torn, files.walFrames == nil {
      warnings.append("The -wal does not begin as one, so SQLite reads nothing of it.")
    }
    if files.journal == .hot {
      warnings.append(
        "A hot rollback journal lies beside it: a process died in a transaction, or has one open. What was not"
          + " committed is undone here, in a private copy. Whoever copies or moves the file has to take its -journal"
          + " along.")
    }
    return warnings
  }

  /// Size and content of the WAL, if any.
  var walSection: [TerminalLine] {
    let files = database.files
    guard files.walBytes > 0 else { return [] }
    let frames = files.walFrames ?? WALFrames()
    var facts = [sizeText(files.walBytes)]
    switch files.wal {
    case .foreign: facts.append("another database's")
    case .torn: facts.append("not readable")
    default:
      facts.append(counted(frames.transactions, "transaction"))
      facts.append(counted(frames.committed, "page"))
    }
    if files.wal == .backfilled { facts.append("all of it in the database file already") }
    if files.wal == .committed { facts.append("read here as part of the database") }
    if frames.uncommitted > 0 { facts.append("\(counted(frames.uncommitted, "page")) not committed") }
    return [TerminalLine("WAL", .strong)]
      + TerminalLine("  " + facts.joined(separator: " · ")).wrapped(toWidth: width, indent: 2)
  }
}

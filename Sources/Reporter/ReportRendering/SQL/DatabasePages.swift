import Collector
import ExhibitCSystem
import ExhibitSystem
import Foundation
package import ReportModel

/// The databases of a report that can be asked in SQL: which of them get room for their pages, and under which names.
///
/// A page on disk may load nothing but scripts, so the bytes of a database are in `data/pages/NAME-N.js` once more: N
/// counts chunks of 1 MiB from 0, and each calls `exhibit.pages(name, n, bytes)`, see `DataScript`. The last chunk ends
/// with the file. Names tell contents: identical databases have one. Of what a test started from, each byte is told by what
/// it differs in from the captured one, so that what is the same packs to nothing.
package struct DatabasePages: Sendable {
  /// The room that one database got.
  package enum Room: Sendable, Equatable {
    /// All of it, by that name, and how many bytes; `over` is the path of the database from which they are told.
    case pages(name: String, bytes: Int, over: String? = nil)
    /// Nothing, and why, as a sentence.
    case none(String)
  }

  /// Bytes of a database in one file.
  static let chunkBytes = 1 << 20

  /// By path in the report folder.
  package private(set) var rooms: [String: Room] = [:]
  /// The databases to write, in the order in which they got their room.
  private(set) var databases: [(path: String, name: String, bytes: Int, over: String?)] = []
  fileprivate let folder: String
  private let limits: ByteBudget
  private var left: Int
  private var names: ContentNames

  /// Gives room to the databases of leading failures first, and to what tests started from behind all that was
  /// captured.
  ///
  /// - Parameter folder: The report folder, as an absolute path.
  package init(_ context: PageContext, folder: String, limits: ByteBudget = .files) {
    (self.folder, self.limits, left) = (folder, limits, limits.report)
    names = ContentNames(folder: folder)
    let tests = context.groups.flatMap(\.failures) + context.others
    let evidence = tests.flatMap(\.evidence)
    for item in evidence where item.kind == .database { item.path.map { take($0) } }
    for item in evidence { item.database?.baseline.map { take($0, over: item.path) } }
    for test in tests {
      for item in test.evidence where context.contents.asksTransactions(of: item, test) {
        guard let raw = item.rawWAL else { continue }
        take(raw.database)
        take(raw.wal)
      }
    }
  }

  /// - Parameter other: A database that it is like.
  private mutating func take(_ path: String, over other: String? = nil) {
    guard rooms[path] == nil, relativeLink(to: path) != nil else { return }
    do {
      let file = try ContainedFile.open(ContainedPath(folder: folder, path: path)).get()
      if file.size > 0 { rooms[path] = try room(for: path, file, over: other) }
    } catch ContainedFile.OpeningError.missing {
      // A remark beside the link to it says that it is gone.
    } catch ContainedFile.OpeningError.outside {
      rooms[path] = .none("it is \(ContainedFile.OpeningError.outsideMeaning)")
    } catch ContainedFile.OpeningError.unreadable(let error) {
      rooms[path] = .none("it cannot be read (\(error.reason))")
    } catch {
      rooms[path] = .none("it cannot be read (\(error))")
    }
  }

  private mutating func room(for path: String, _ file: ContainedFile, over other: String?) throws -> Room? {
    guard file.size <= limits.database else {
      return .none("a page takes databases of up to \(sizeText(limits.database))")
    }
    let name = try names.name(path, file)
    if name.path != path { return rooms[name.path] }
    guard file.size <= left else {
      return .none(
        "the pages of databases that come before it take the \(sizeText(limits.report)) of a report")
    }
    var base: String?
    if let other, case .pages(_, _, over: nil)? = rooms[other] { base = other }
    databases.append((path, name.text, file.size, base))
    left -= file.size
    return .pages(name: name.text, bytes: file.size, over: base)
  }
}

extension ReportContents {
  /// Says whether SQL in the page reads the transactions of a captured database from its WAL: the states of a story can be
  /// asked without it.
  package func asksTransactions(of evidence: TestEvidence, _ test: TestResult) -> Bool {
    evidence.walTransactions > 0 && !hasStates(evidence, of: test)
  }
}

extension TestEvidence {
  /// The number of transactions in the WAL that was kept beside the captured file, which has them all.
  var walTransactions: Int {
    rawWAL == nil || database?.wal == .foreign ? 0 : database?.walFrames?.transactions ?? 0
  }
}

/// Writes the pages, a part of the work for each database.
package func databasePageTasks(_ pages: DatabasePages, take: @escaping TakeFile) -> [RenderTask] {
  let folder = pages.folder
  guard !pages.databases.isEmpty else { return [] }
  // SQLite for the browser.
  let viewer = DataScript(path: "viewer.js", function: "viewer", arguments: "")
  return [{ try take(viewer.file(bytes: EmbeddedTemplates.viewer)) }]
    + pages.databases.map { path, name, _, over in
      {
        let file = try ContainedFile.open(ContainedPath(folder: folder, path: path)).get()
        let base = try over.map { try ContainedFile.open(ContainedPath(folder: folder, path: $0)).get() }
        for (number, start) in stride(from: 0, to: file.size, by: DatabasePages.chunkBytes).enumerated() {
          var bytes = try file.bytes(at: start, count: DatabasePages.chunkBytes)
          if let base, start < base.size {
            let others = try base.bytes(at: start, count: min(bytes.count, base.size - start))
            exhibit_bytes_differ(&bytes, others, others.count)
          }
          let script = DataScript(
            path: "data/pages/\(name)-\(number).js", function: "pages", arguments: "\"\(name)\",\(number)")
          try take(script.file(bytes: bytes))
        }
      }
    }
}

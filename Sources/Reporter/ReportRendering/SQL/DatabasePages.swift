import Collector
import ExhibitCSystem
import ExhibitSystem
import Foundation
package import ReportModel

/// Stores databases as scripts, so that pages opened from disk can query them with SQL.
///
/// `data/pages/NAME-N.js` holds 1 MiB each, from 0, and calls `exhibit.pages(name, n, bytes)`; see `DataScript`. Names
/// derive from content. A baseline is stored as differences from the captured database, which compress to nothing where
/// equal.
package struct DatabasePages: Sendable {
  package enum Room: Sendable, Equatable {
    /// Stored with this name and size; `over` is the database whose differences are stored.
    case pages(name: String, bytes: Int, over: String? = nil)
    /// Not stored, for a reason in a sentence.
    case none(String)
  }

  static let chunkBytes = 1 << 20

  package private(set) var rooms: [String: Room] = [:]
  /// In the order of storing.
  private(set) var databases: [(path: String, name: String, bytes: Int, over: String?)] = []
  fileprivate let folder: String
  private let limits: ByteBudget
  private var left: Int
  private var names: ContentNames

  /// Stores captured databases of leading failures first, then baselines.
  ///
  /// - Parameter folder: The report folder's absolute path.
  package init(_ context: PageContext, folder: String, limits: ByteBudget = .files) {
    (self.folder, self.limits, left) = (folder, limits, limits.report)
    names = ContentNames(folder: folder)
    let tests = context.groups.flatMap(\.failures) + context.others
    let evidence = tests.flatMap(\.evidence)
    for item in evidence where item.kind == .database { item.path.map { take($0) } }
    for item in evidence { item.baseline.map { take($0, over: item.path) } }
    for test in tests {
      for item in test.evidence where context.contents.asksTransactions(of: item, test) {
        guard let raw = item.rawWAL else { continue }
        take(raw.database)
        take(raw.wal)
      }
    }
  }

  private mutating func take(_ path: String, over other: String? = nil) {
    guard rooms[path] == nil, relativeLink(to: path) != nil else { return }
    do {
      let file = try ContainedFile.open(ContainedPath(folder: folder, path: path)).get()
      if file.size > 0 { rooms[path] = try room(for: path, file, over: other) }
    } catch ContainedFile.OpeningError.missing {
      // Its link has a remark.
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
  /// True when the page queries a database's WAL transactions, unless the story has its states.
  package func asksTransactions(of evidence: TestEvidence, _ test: TestResult) -> Bool {
    evidence.walTransactions > 0 && !hasStates(evidence, of: test)
  }
}

extension TestEvidence {
  /// Transactions in the raw WAL beside the captured file.
  var walTransactions: Int {
    rawWAL == nil || details.database?.wal == .foreign ? 0 : details.database?.walFrames?.transactions ?? 0
  }
}

package func databasePageTasks(_ pages: DatabasePages, take: @escaping TakeFile) -> [RenderTask] {
  let folder = pages.folder
  guard !pages.databases.isEmpty else { return [] }
  // SQLite compiled for the browser.
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

package import Collector
import ExhibitSystem
import Foundation
package import ReportModel

/// The recorded steps of tests that passed in a run, indexed first and read on demand.
package struct RecordedPasses: Sendable {
  package static let most = 2
  private static let largest = 1 << 30

  package let run: RunFolder
  private let origin: PassOrigin
  package private(set) var remarks = Remarks()
  private var places: [TestCaseID: [Recording]] = [:]

  private struct Recording: Sendable {
    var file: String
    var process: ProcessIdentity
    var entry: PassesFile.Entry
  }

  package init(of run: RunFolder, origin: PassOrigin) {
    (self.run, self.origin) = (run, origin)
    let folder = ContainedPath(folder: run.path, path: "passes")
    do throws(ContainedFile.OpeningError) {
      for name in try ContainedFile.entries(of: folder) where name.hasSuffix(".passes") {
        lookThrough("passes/\(name)", PassesFile.process(ofFile: name))
      }
    } catch .missing {
      // Nothing was recorded.
    } catch {
      Self.lose("passes", error, &remarks)
    }
  }

  package var tests: Set<TestCaseID> { Set(places.keys) }

  func size(of test: TestCaseID) -> Int { places[test]?.first?.entry.size ?? 0 }

  package func passes(of test: TestCaseID) -> [PassedRun] {
    var remarks = Remarks()
    return passes(of: test, &remarks)
  }

  /// A test's latest passes, newest first.
  package func passes(of test: TestCaseID, _ remarks: inout Remarks) -> [PassedRun] {
    var passes: [PassedRun] = []
    for place in places[test] ?? [] {
      do {
        let file = try ContainedFile.open(ContainedPath(folder: run.path, path: place.file)).get()
        let lines = try file.bytes(at: place.entry.place, count: place.entry.size).withUnsafeBytes {
          try place.entry.lines(in: $0, of: place.process)
        }
        passes.append(PassedRun(origin: origin, began: place.entry.began, folder: run.path, lines: lines))
      } catch let error as ContainedFile.OpeningError {
        Self.lose(place.file, error, &remarks)
      } catch {
        Self.note(place.file, "\(error)", &remarks)
      }
    }
    return passes
  }

  package struct Kept {
    package var test: TestCaseID
    package var began: Double?
    package var bytes: [UInt8]
  }

  /// Reads each test's latest pass, and skips unreadable ones.
  ///
  /// - Parameter addresses: Gets the stack addresses of all passes of a process.
  package func each(of tests: Set<TestCaseID>, _ body: (Kept) -> Void, addresses: (StackAddresses) -> Void) {
    let latest = places.compactMap { tests.contains($0.key) ? $0.value.first : nil }
    for (path, places) in Dictionary(grouping: latest, by: \.file).sorted(by: { $0.key < $1.key }) {
      guard case .success(let file) = ContainedFile.open(ContainedPath(folder: run.path, path: path)) else {
        continue
      }
      let gathered = StackAddresses()
      for entry in places.map(\.entry).sorted(by: { $0.place < $1.place }) {
        // Indexing the file reported its problems.
        guard let bytes = try? file.bytes(at: entry.place, count: entry.size) else { continue }
        bytes.withUnsafeBytes { entry.add(to: gathered, from: $0) }
        body(Kept(test: entry.test, began: entry.began, bytes: Array(bytes)))
      }
      addresses(gathered)
    }
  }

  private mutating func lookThrough(_ file: String, _ process: ProcessIdentity?) {
    guard let process else { return Self.note(file, "Its name is no process's.", &remarks) }
    do {
      let opened = try ContainedFile.open(ContainedPath(folder: run.path, path: file)).get()
      guard opened.size <= Self.largest else {
        return Self.note(file, "It has \(grouped(opened.size)) bytes.", &remarks)
      }
      let (entries, damage) = try opened.contents().withUnsafeBytes { PassesFile.entries(in: $0) }
      for entry in entries { add(Recording(file: file, process: process, entry: entry)) }
      if let damage { Self.note(file, damage, &remarks) }
    } catch let error as ContainedFile.OpeningError {
      Self.lose(file, error, &remarks)
    } catch {
      remarks.fault(.passesUnreadable, Self.unread + " It cannot be read: \(error)", input: file)
    }
  }

  /// Of two passes that began at the same time, the one read later counts as later.
  private mutating func add(_ place: Recording) {
    var latest = places[place.entry.test] ?? []
    let began = place.entry.began ?? 0
    let index = latest.firstIndex { ($0.entry.began ?? 0) <= began } ?? latest.count
    guard index < Self.most else { return }
    latest.insert(place, at: index)
    places[place.entry.test] = Array(latest.prefix(Self.most))
  }

  private static let unread = "What tests did that passed cannot be read, or not all of it."

  private static func note(_ file: String, _ sentence: String, _ remarks: inout Remarks) {
    remarks.notice(.passesUnreadable, "\(unread) \(sentence)", input: file)
  }

  private static func lose(_ file: String, _ error: ContainedFile.OpeningError, _ remarks: inout Remarks) {
    let sentence = error == .missing ? "It is gone." : error.sentence(on: "It")
    guard case .unreadable = error else { return note(file, sentence, &remarks) }
    remarks.fault(.passesUnreadable, "\(unread) \(sentence)", input: file)
  }
}

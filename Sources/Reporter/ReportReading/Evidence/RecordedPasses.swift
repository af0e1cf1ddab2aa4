package import Collector
import ExhibitSystem
import Foundation
package import ReportModel

/// The steps of tests that passed, as the processes of one run recorded them.
///
/// All files are looked through once; what a test did is read when it is asked for.
package struct RecordedPasses: Sendable {
  /// The most passes of one test that are given.
  package static let most = 2
  /// The most bytes of a file.
  private static let largest = 1 << 30

  package let run: RunFolder
  private let origin: PassOrigin
  /// Notices on files that cannot be read, in whole or in part.
  package private(set) var remarks = Remarks()
  /// The latest passes of each test, newest first.
  private var places: [TestCaseID: [Recording]] = [:]

  private struct Recording: Sendable {
    /// In the run's folder.
    var file: String
    var process: ProcessIdentity
    var entry: PassesFile.Entry
  }

  /// - Parameters:
  ///   - run: A run's folder, maybe of another machine.
  ///   - origin: The source of its passes.
  package init(of run: RunFolder, origin: PassOrigin) {
    (self.run, self.origin) = (run, origin)
    let folder = ContainedPath(folder: run.path, path: "passes")
    do throws(ContainedFile.OpeningError) {
      for name in try ContainedFile.entries(of: folder) where name.hasSuffix(".passes") {
        lookThrough("passes/\(name)", PassesFile.process(ofFile: name))
      }
    } catch .missing {
      // No test has passed, or none was to be recorded.
    } catch {
      Self.lose("passes", error, &remarks)
    }
  }

  /// The tests that have one.
  package var tests: Set<TestCaseID> { Set(places.keys) }

  /// The bytes of the latest pass of a test.
  func size(of test: TestCaseID) -> Int { places[test]?.first?.entry.size ?? 0 }

  /// The latest passes of a test, newest first.
  package func passes(of test: TestCaseID) -> [PassedRun] {
    var remarks = Remarks()
    return passes(of: test, &remarks)
  }

  /// The latest passes of a test, newest first.
  ///
  /// - Parameter remarks: Gets a notice on each that cannot be read after all.
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

  /// A pass as the file of its process has it.
  package struct Kept {
    package var test: TestCaseID
    package var began: Double?
    /// An entry of a passes file.
    package var bytes: [UInt8]
  }

  /// Reads the latest pass of each of some tests, one after the other; those that cannot be read are left out.
  ///
  /// - Parameter body: Gets each pass, and what gathers the addresses on the stacks of all passes of its process.
  package func each(of tests: Set<TestCaseID>, _ body: (Kept) -> Void, addresses: (StackAddresses) -> Void) {
    let latest = places.compactMap { tests.contains($0.key) ? $0.value.first : nil }
    for (path, places) in Dictionary(grouping: latest, by: \.file).sorted(by: { $0.key < $1.key }) {
      guard case .success(let file) = ContainedFile.open(ContainedPath(folder: run.path, path: path)) else {
        continue
      }
      let gathered = StackAddresses()
      for entry in places.map(\.entry).sorted(by: { $0.place < $1.place }) {
        // It was read before, when the file was looked through.
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

  /// Adds a pass; of two that began at the same time, the one that was read later counts as later.
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

  /// Remarks on a file that cannot be opened: a fault where nobody damaged it, since the report lacks something.
  private static func lose(_ file: String, _ error: ContainedFile.OpeningError, _ remarks: inout Remarks) {
    let sentence = error == .missing ? "It is gone." : error.sentence(on: "It")
    guard case .unreadable = error else { return note(file, sentence, &remarks) }
    remarks.fault(.passesUnreadable, "\(unread) \(sentence)", input: file)
  }
}

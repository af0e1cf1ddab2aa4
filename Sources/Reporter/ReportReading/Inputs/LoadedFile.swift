import Collector
import ExhibitSystem
import Foundation
import ReportModel

struct LoadedFile: Sendable {
  /// The user's, or a path below the artifacts folder.
  var name: String
  var path: String
  var bytes: Data
  private var mapped: MappedFile?

  /// Larger files are mapped: 100,000 tests make an xunit file of 12 MB.
  private static let mappedSize = 4 << 20

  init(name: String, path: String) throws(InputError) {
    self.name = name
    self.path = path
    let isLarge = FileSystem.targetStatus(path).map { $0.st_size >= Self.mappedSize } ?? false
    if isLarge, let file = MappedFile(path: path) {
      (mapped, bytes) = (file, file.bytes)
      return
    }
    do {
      bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    } catch {
      throw InputError.unreadable(name: name, reason: error.localizedDescription)
    }
  }

  /// Reads a regular file below an untrusted folder without following links.
  init(name: String, _ contained: ContainedPath) throws(InputError) {
    self.name = name
    path = contained.folder + "/" + contained.path
    let file = try ContainedFile.open(contained).mapError { InputError($0, name: name) }.get()
    do {
      bytes = try file.contents()
    } catch {
      throw .unreadable(name: name, reason: error.localizedDescription)
    }
  }

  init(name: String, path: String, bytes: Data) {
    self.name = name
    self.path = path
    self.bytes = bytes
  }

  /// Reads an optional JSON file of a run.
  ///
  /// - Parameters:
  ///   - run: Its absolute path, and its name in messages.
  ///   - loss: The fault's sentence on an unreadable file.
  static func value<Value: Decodable>(
    _ type: Value.Type, _ path: String, of run: (path: String, name: String), otherwise loss: String,
    _ remarks: inout Remarks
  ) -> Value? {
    guard FileSystem.status("\(run.path)/\(path)") != nil else { return nil }
    let name = "\(run.name)/\(path)"
    do {
      let file = try LoadedFile(name: name, ContainedPath(folder: run.path, path: path))
      return try file.value(type)
    } catch {
      remarks.fault(error, loss: loss, input: name)
      return nil
    }
  }

  private struct Head: Decodable { var format: String? }

  /// - Throws: `FormatRefusal` for a version that is not read, else `DecodingError`.
  func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let format = try JSONDecoder().decode(Head.self, from: bytes).format
    if let format { try ArtifactsFormat.check(format) }
    do {
      return try JSONDecoder().decode(type, from: bytes)
    } catch {
      throw format.flatMap(ArtifactsFormat.laterMinor) ?? error
    }
  }

  /// Frees the memory of what was read, where the file can give it again.
  func leave(upTo end: Int) { mapped?.leave(upTo: end) }

  var folder: String { FileSystem.parentFolder(of: path) ?? "/" }
}

extension Remarks {
  /// - Parameter loss: A sentence on what is unknown without the file.
  mutating func fault(_ error: any Error, loss: String, input: String) {
    if let refusal = error as? FormatRefusal {
      fault(.otherFormat, "\(loss) \(refusal)", input: input)
    } else {
      fault(.unreadableInput, loss, input: input)
    }
  }
}

/// An input that cannot be used, with what to do.
package enum InputError: Error, Equatable, CustomStringConvertible {
  case missing(name: String)
  case unreadable(name: String, reason: String)
  case unknown(name: String)
  case empty(name: String)
  case noSuchRun(name: String, known: [String])
  case noTests(names: [String])
  /// A link, or no regular file.
  case outside(name: String)

  init(_ error: ContainedFile.OpeningError, name: String) {
    switch error {
    case .missing: self = .missing(name: name)
    case .outside: self = .outside(name: name)
    case .unreadable(let error): self = .unreadable(name: name, reason: error.reason)
    }
  }

  package var description: String {
    switch self {
    case .missing(let name):
      "There is nothing at \(name). Link Attach into a test target and run swift test, or name an xunit or "
        + "event stream file."
    case .unreadable(let name, let reason): "Cannot read \(name): \(reason)"
    case .outside(let name):
      "\(name) is \(ContainedFile.OpeningError.outsideMeaning)."
    case .unknown(let name):
      "\(name) is no artifacts folder, run folder, xunit XML, event stream or console of swift test."
    case .empty(let name):
      "\(name) holds no run, xunit XML, event stream or console of swift test. Run swift test first."
    case .noSuchRun(let name, let known):
      "There is no run \(name); there "
        + (known.isEmpty ? "is none." : "are \(known.joined(separator: ", ")).")
    case .noTests(let names):
      "No test was found in \(names.joined(separator: ", ")). Check that "
        + "the tests were built and the filter matches; XCTests are recorded by Attach or with --parallel."
    }
  }
}

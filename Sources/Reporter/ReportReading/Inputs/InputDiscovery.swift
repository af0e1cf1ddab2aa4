package import Collector
import ExhibitSystem
import Foundation
import ReportModel

/// An input file or run, recognised by its content.
package struct FoundInput: Sendable, Equatable {
  package enum Form: Sendable, Equatable { case run, eventStream, xunit, console }

  package var form: Form
  var name: String
  package var path: String
  /// A run's name where there are several artifacts folders.
  var place: String?
  var unpacked: TemporaryRun?
}

package enum FoundPlace: Sendable, Equatable {
  case input(FoundInput)
  case unusable(name: String, InputError)
}

package enum RunChoice: Sendable, Equatable {
  case newest
  case named(String)
  /// A test of several runs has several attempts.
  case all

  func isRun(_ input: FoundInput) -> Bool {
    guard case .named(let name) = self else { return false }
    return input.form == .run && RunFolder(path: input.path).name == name
  }
}

/// Finds inputs at the user's paths.
package struct InputDiscovery {
  var runs: RunChoice
  private let spare: String
  private static let maximumDepth = 4

  package init(runs: RunChoice = .newest, spare: String? = nil) {
    self.runs = runs
    self.spare = spare ?? FileManager.default.temporaryDirectory.path + "/exhibit"
  }

  /// Finds each input once; throws where no path has the named run.
  package func find(_ paths: [String]) throws(InputError) -> [FoundPlace] {
    var places: [FoundPlace] = []
    var (firstError, missingRun): (InputError?, InputError?)
    var runFolders: Set<String> = []
    var hasRun = false
    for path in paths {
      do throws(InputError) {
        for place in try find(path) {
          if case .input(let input) = place {
            if input.form == .run, !runFolders.insert(input.path).inserted { continue }
            hasRun = hasRun || runs.isRun(input)
          }
          places.append(place)
        }
      } catch {
        firstError = firstError ?? error
        if case .noSuchRun = error { missingRun = missingRun ?? error }
        places.append(.unusable(name: path, error))
      }
    }
    if case .named(let name) = runs, !hasRun {
      throw missingRun ?? firstError ?? .noSuchRun(name: name, known: [])
    }
    return Self.distinguished(places)
  }

  private static func distinguished(_ places: [FoundPlace]) -> [FoundPlace] {
    var folders: Set<String> = []
    for case .input(let found) in places where found.form == .run {
      folders.insert(found.place == nil ? found.path : FileSystem.parentFolder(of: found.path) ?? "/")
    }
    guard folders.count > 1 else { return places }
    return places.map { place in
      guard case .input(var found) = place, let name = found.place else { return place }
      found.name = name
      return .input(found)
    }
  }

  func find(_ name: String) throws(InputError) -> [FoundPlace] {
    if name == "-" { return try standardInput() }
    let path = URL(fileURLWithPath: name).standardizedFileURL.path
    // Only links that the user named are followed.
    guard let status = FileSystem.targetStatus(path) else { throw .missing(name: name) }
    if status.st_mode & S_IFMT != S_IFDIR {
      let found = try recognise(FileAt(name: name, path: path))
      if found.isEmpty { throw .unknown(name: name) }
      return found
    }
    let found = try search(FileAt(name: name, path: path), depth: 0)
    if found.isEmpty { throw .empty(name: name) }
    return found
  }

  private func standardInput() throws(InputError) -> [FoundPlace] {
    let name = "standard input"
    let folder: TemporaryRun
    do {
      folder = try TemporaryRun(at: spare)
      let file = try OutputFile(creating: "\(folder.path)/input")
      while let bytes = try FileHandle.standardInput.read(upToCount: 1 << 20), !bytes.isEmpty {
        try bytes.withUnsafeBytes { try file.write($0) }
      }
    } catch {
      throw .unreadable(name: name, reason: "\(error)")
    }
    let found = try recognise(FileAt(name: name, path: folder.path + "/input"))
    if found.isEmpty { throw .unknown(name: name) }
    return found.map { Self.keeping(folder, $0) }
  }

  private static func keeping(_ folder: TemporaryRun, _ place: FoundPlace) -> FoundPlace {
    guard case .input(var found) = place else { return place }
    found.unpacked = found.unpacked ?? folder
    return .input(found)
  }

  private struct FileAt {
    var name: String
    var path: String

    func appending(_ component: String) -> FileAt {
      FileAt(
        name: name.hasSuffix("/") ? name + component : "\(name)/\(component)", path: "\(path)/\(component)")
    }
  }

  private func search(_ folder: FileAt, depth: Int) throws(InputError) -> [FoundPlace] {
    if try isFolder(folder.appending("runs")) {
      return try chosenRuns(in: ArtifactsFolder(path: folder.path), name: folder.name).map { .input($0) }
    }
    if try isRun(folder) {
      let name = RunFolder(path: folder.path).name
      return [.input(FoundInput(form: .run, name: name, path: folder.path, place: folder.name))]
    }
    var found: [FoundPlace] = []
    for entry in try entries(of: folder) where !entry.hasPrefix(".") {
      let child = folder.appending(entry)
      switch try type(of: child) {
      case S_IFDIR: if depth < Self.maximumDepth { found += try search(child, depth: depth + 1) }
      case S_IFREG: found += try recognise(child, mayBeConsole: Self.isConsoleName(entry))
      default: break
      }
    }
    return found
  }

  private func entries(of folder: FileAt) throws(InputError) -> [String] {
    do throws(SystemError) {
      return try FileSystem.entries(of: folder.path).sorted()
    } catch {
      throw .unreadable(name: folder.name, reason: "\(error)")
    }
  }

  private static func isConsoleName(_ name: String) -> Bool {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 1 || ["txt", "log", "out"].contains(parts.last?.lowercased())
  }

  private func recognise(_ file: FileAt, mayBeConsole: Bool = true) throws(InputError) -> [FoundPlace] {
    let head = try bytes(of: file) { try $0.read(upToCount: 1 << 16) }
    if EventStreamInput.recognises(head) {
      return [.input(FoundInput(form: .eventStream, name: file.name, path: file.path))]
    }
    if XUnitInput.recognises(head) {
      return [.input(FoundInput(form: .xunit, name: file.name, path: file.path))]
    }
    if PackReader.recognises(file.path, head: head) { return try unpack(file) }
    guard mayBeConsole else { return [] }
    if !ConsoleInput.recognises(head) {
      guard !head.contains(0), ConsoleInput.recognises(try tail(of: file)) else { return [] }
    }
    return [.input(FoundInput(form: .console, name: file.name, path: file.path))]
  }

  /// A build can print much before the first test.
  private func tail(of file: FileAt) throws(InputError) -> Data {
    try bytes(of: file) { handle in
      let size = try handle.seekToEnd()
      try handle.seek(toOffset: size - min(size, 1 << 16))
      return try handle.readToEnd()
    }
  }

  private func bytes(of file: FileAt, _ read: (FileHandle) throws -> Data?) throws(InputError) -> Data {
    do {
      let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: file.path))
      let bytes = try read(handle) ?? Data()
      try handle.close()
      return bytes
    } catch {
      throw .unreadable(name: file.name, reason: error.localizedDescription)
    }
  }

  private func unpack(_ file: FileAt) throws(InputError) -> [FoundPlace] {
    let folder: TemporaryRun
    do throws(SystemError) {
      folder = try TemporaryRun(at: spare)
    } catch {
      throw .unreadable(name: file.name, reason: "\(error)")
    }
    do throws(PackReader.Problem) {
      try PackReader.unpack(file.path, to: folder.path)
    } catch {
      return [.unusable(name: file.name, .unreadable(name: file.name, reason: "\(error)"))]
    }
    return try search(FileAt(name: file.name, path: folder.path), depth: 0).map { Self.keeping(folder, $0) }
  }

  // MARK: - Runs

  package func runs(of artifacts: ArtifactsFolder, named name: String) throws(InputError) -> [RunFolder] {
    guard try isFolder(FileAt(name: name, path: artifacts.runsFolder)) else { throw .missing(name: name) }
    return try chosenRuns(in: artifacts, name: name).map { RunFolder(path: $0.path) }
  }

  private func chosenRuns(in artifacts: ArtifactsFolder, name: String) throws(InputError) -> [FoundInput] {
    let runsFolder = FileAt(name: name, path: artifacts.path).appending("runs")
    var folders: [String] = []
    for name in try entries(of: runsFolder) where try isFolder(runsFolder.appending(name)) {
      folders.append(name)
    }
    let chosen =
      switch runs {
      case .newest: [newest(of: folders, in: artifacts)].compactMap { $0 }
      case .named(let name): folders.filter { $0 == name }
      case .all: folders
      }
    if case .named(let name) = runs, chosen.isEmpty { throw .noSuchRun(name: name, known: folders) }
    if chosen.isEmpty { throw .empty(name: artifacts.path) }
    return chosen.map { name in
      FoundInput(
        form: .run, name: "runs/" + name, path: artifacts.runsFolder + "/" + name,
        place: runsFolder.appending(name).name)
    }
  }

  private func newest(of names: [String], in artifacts: ArtifactsFolder) -> String? {
    let runs = names.map { name -> (start: Double, name: String) in
      // A run with a damaged manifest has its folder's date.
      let folder = RunFolder(path: artifacts.runsFolder + "/" + name)
      let changed = FileSystem.status(folder.path).map { Double($0.st_mtim.tv_sec) } ?? 0
      return ((try? RunManifest(of: folder))?.start ?? changed, name)
    }
    return runs.max { ($0.start, $0.name) < ($1.start, $1.name) }?.name
  }

  private func isRun(_ folder: FileAt) throws(InputError) -> Bool {
    if try type(of: folder.appending("run.json")) != nil { return true }
    return try isFolder(folder.appending("logs"))
  }

  private func isFolder(_ file: FileAt) throws(InputError) -> Bool { try type(of: file) == S_IFDIR }

  private func type(of file: FileAt) throws(InputError) -> mode_t? {
    var status = stat()
    if lstat(file.path, &status) == 0 { return status.st_mode & S_IFMT }
    if errno == ENOENT || errno == ENOTDIR { return nil }
    throw .unreadable(name: file.name, reason: SystemError("look at", file.path).reason)
  }
}

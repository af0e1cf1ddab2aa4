import Collector
import ExhibitSystem
import Foundation
import ReportModel

/// Unpacks an untrusted pack into a new folder.
struct PackReader {
  struct Limits {
    var bytes = 64 << 30
    var files = 1_000_000
    var nameBytes = 1024
  }

  /// These continue the sentence `Cannot read` with the pack's name.
  enum Problem: Error, Equatable, CustomStringConvertible {
    case damaged
    case outside(String)
    case tooLarge
    case unreadable(String)
    case format(FormatRefusal)

    var description: String {
      switch self {
      case .damaged: "It is cut off or damaged: pack the run again."
      case .outside(let name): "It has an entry that is none of a run: \(name)"
      case .tooLarge: "It holds more than there is room for, or more files than a run has."
      case .unreadable(let reason): reason
      case .format(let refusal): "\(refusal)"
      }
    }
  }

  private let folder: String
  private let limits: Limits
  private let archive: ContainedFile
  private var place = 0
  private var files = 0
  private var format = ArtifactsFormat.current

  static func recognises(_ path: String, head: Data) -> Bool {
    guard head.starts(with: gzipMagic) else { return false }
    guard let scratch = try? ScratchFolder(in: FileManager.default.temporaryDirectory.path, prefix: ".pack-")
    else {
      return false
    }
    return withExtendedLifetime(scratch) {
      let start = scratch.path + "/start"
      do {
        try gunzip(InputFile(link: path), to: start, most: 1 << 16)
      } catch {
        guard let code = (error as? SystemError)?.code, [EFBIG, EBADMSG].contains(code) else { return false }
      }
      let block = (try? InputFile(path: start).prefix(TarHeader.size)) ?? []
      return TarHeader(block[...])?.name == PackWriter.mark
    }
  }

  static func unpack(_ path: String, to folder: String, limits: Limits = Limits()) throws(Problem) {
    let tar = ".tar"
    var limits = limits
    // Its content lies there twice meanwhile.
    if let free = FileSystem.freeBytes(at: folder) { limits.bytes = min(limits.bytes, free / 3) }
    do {
      try gunzip(InputFile(link: path), to: "\(folder)/\(tar)", most: limits.bytes)
    } catch let error as SystemError {
      throw error.code == EFBIG ? .tooLarge : error.code == EBADMSG ? .damaged : .unreadable("\(error)")
    } catch {
      throw .unreadable(error.localizedDescription)
    }
    guard case .success(let archive) = ContainedFile.open(ContainedPath(folder: folder, path: tar)) else {
      throw .damaged
    }
    var reader = PackReader(folder: folder, limits: limits, archive: archive)
    do {
      try reader.unpack()
      try FileSystem.remove("\(folder)/\(tar)")
    } catch let problem as Problem {
      let later = problem == .damaged ? ArtifactsFormat.laterMinor(reader.format) : nil
      throw later.map(Problem.format) ?? problem
    } catch {
      throw .unreadable((error as? SystemError)?.description ?? error.localizedDescription)
    }
  }

  private mutating func unpack() throws {
    var isFirst = true
    var overflow: [UInt8] = []
    while true {
      let block = try archive.bytes(at: place, count: TarHeader.size)
      // Two empty blocks end the archive.
      if !isFirst, block.count == TarHeader.size, block.allSatisfy({ $0 == 0 }) { return }
      guard var header = TarHeader(block[...]), header.bytes <= archive.size - place else {
        throw Problem.damaged
      }
      place += TarHeader.size
      header.extend(overflow)
      overflow = []
      if isFirst {
        guard header.name == PackWriter.mark, header.bytes < 100 else { throw Problem.damaged }
        format = String(decoding: try archive.bytes(at: place, count: header.bytes), as: UTF8.self)
        do {
          try ArtifactsFormat.check(format)
        } catch {
          throw Problem.format(error)
        }
      } else if header.kind == .extended {
        guard header.bytes <= 4 * limits.nameBytes else { throw Problem.damaged }
        overflow = try archive.bytes(at: place, count: header.bytes)
      } else {
        try unpack(header)
      }
      place += header.bytes + TarHeader.padding(behind: header.bytes)
      isFirst = false
    }
  }

  private mutating func unpack(_ header: TarHeader) throws {
    files += 1
    guard files <= limits.files else { throw Problem.tooLarge }
    let path = try checked(header.name)
    switch header.kind {
    case .folder: return
    case .extended: throw Problem.damaged
    case .link:
      let target = try checked(header.target)
      try makeFolder(of: path)
      // No entry creates symbolic links.
      guard header.bytes == 0, link(target, path) == 0 else { throw Problem.damaged }
    case .file:
      try makeFolder(of: path)
      let file = try OutputFile(creating: path)
      var done = 0
      while done < header.bytes {
        let bytes = try archive.bytes(at: place + done, count: min(1 << 20, header.bytes - done))
        guard !bytes.isEmpty else { throw Problem.damaged }
        try bytes.withUnsafeBytes { try file.write($0) }
        done += bytes.count
      }
    }
  }

  private func checked(_ name: String) throws(Problem) -> String {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count >= 3, parts[0] == "runs", name.utf8.count <= limits.nameBytes, !name.utf8.contains(0),
      parts.allSatisfy({ !$0.isEmpty && !$0.hasPrefix(".") && $0.utf8.count <= 255 })
    else { throw .outside(String(name.prefix(200))) }
    return "\(folder)/\(name)"
  }

  private func makeFolder(of path: String) throws {
    if let parent = FileSystem.parentFolder(of: path) { try FileSystem.createFolder(parent) }
  }
}

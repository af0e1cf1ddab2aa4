import ExhibitSystem
import Foundation

/// The git checkout around a folder, read without git.
package enum Checkout {
  /// The current commit's full hash, as gitrepository-layout(5) describes it.
  package static func commit(at folder: String) -> String? { gitFolder(containing: folder).flatMap(head) }

  /// `nil` for a detached HEAD, as in most CI jobs.
  package static func branch(at folder: String) -> String? {
    let opening = "ref: refs/heads/"
    guard let head = gitFolder(containing: folder).flatMap({ firstLine($0 + "/HEAD") }),
      head.hasPrefix(opening)
    else {
      return nil
    }
    return String(head.dropFirst(opening.count))
  }

  private static func gitFolder(containing folder: String) -> String? {
    var folder = folder
    while true {
      if let git = gitFolder(in: folder) { return git }
      guard let parent = FileSystem.parentFolder(of: folder) else { return nil }
      folder = parent
    }
  }

  /// A file `.git` names it in a work tree or submodule.
  private static func gitFolder(in folder: String) -> String? {
    let path = folder + "/.git"
    if FileSystem.status(path + "/HEAD") != nil { return path }
    guard let line = firstLine(path), line.hasPrefix("gitdir: ") else { return nil }
    let target = String(line.dropFirst("gitdir: ".count))
    return target.hasPrefix("/") ? target : folder + "/" + target
  }

  private static func head(of git: String) -> String? {
    guard let head = firstLine(git + "/HEAD") else { return nil }
    guard head.hasPrefix("ref: ") else { return head.isCommitHash ? head : nil }
    let reference = String(head.dropFirst("ref: ".count))
    let common = firstLine(git + "/commondir").map { $0.hasPrefix("/") ? $0 : git + "/" + $0 } ?? git
    if let line = firstLine(common + "/" + reference), line.isCommitHash { return line }
    return packed(reference, in: common)
  }

  private static func packed(_ reference: String, in git: String) -> String? {
    guard let text = try? String(contentsOfFile: git + "/packed-refs", encoding: .utf8) else { return nil }
    let line = text.split(separator: "\n").first { $0.hasSuffix(" " + reference) }
    return line.map { String($0.prefix { $0 != " " }) }.flatMap { $0.isCommitHash ? $0 : nil }
  }

  private static func firstLine(_ path: String) -> String? {
    readSystemFile(path)?.split(separator: "\n").first.map(String.init)
  }
}

extension StringProtocol {
  /// True for a full hash as git writes it, which is safe in a command.
  package var isCommitHash: Bool {
    [40, 64].contains(utf8.count)
      && utf8.allSatisfy { byte in
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
          || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
      }
  }
}

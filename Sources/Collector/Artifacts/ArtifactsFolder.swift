package import ExhibitSystem
import Glibc

/// `test-artifacts`: the folder with the runs and the report.
package struct ArtifactsFolder: Sendable, Equatable {
  package let path: String

  package static let defaultName = "test-artifacts"

  package init(path: String) {
    self.path = path
  }

  package init(variable: String?, packageFolder: String) {
    guard var path = variable, !path.isEmpty else {
      self.init(path: packageFolder + "/" + Self.defaultName)
      return
    }
    while path.count > 1 && path.hasSuffix("/") { path.removeLast() }
    self.init(path: path.hasPrefix("/") ? path : packageFolder + "/" + path)
  }

  package var runsFolder: String { path + "/runs" }
  package var reportFolder: String { path + "/report" }

  /// Creates the folder with a `.gitignore`; throws for another user's.
  package func create() throws(SystemError) {
    try FileSystem.createFolder(path)
    try FileSystem.checkIsOwnFolder(path, followingLinks: true)
    let isNew = try FileSystem.createFolder(runsFolder)
    try FileSystem.checkIsOwnFolder(runsFolder)
    guard isNew else { return }
    do throws(SystemError) {
      try FileSystem.writeNewFile(path + "/.gitignore", Array("*\n".utf8))
    } catch  where error.code == EEXIST {
      return
    }
  }
}

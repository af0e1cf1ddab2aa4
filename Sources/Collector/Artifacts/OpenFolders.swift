import ExhibitSystem

/// The package's and the temporary folders, whose databases are captured without registration.
package struct OpenFolders: Sendable, Equatable {
  private let folders: [String]

  package init(packageFolder: String, variable: (String) -> String?) {
    var folders = [packageFolder, "/tmp", "/var/tmp", "/dev/shm"]
    if let folder = variable("TMPDIR") { folders.append(folder) }
    self.folders = folders
  }

  package var resolved: OpenFolders {
    OpenFolders(
      folders: folders.compactMap(FileSystem.realPath))
  }

  private init(folders: [String]) {
    self.folders = folders
  }

  package func contain(_ path: String) -> Bool {
    folders.contains { path.hasPrefix($0.hasSuffix("/") ? $0 : $0 + "/") }
  }
}

import Glibc

/// The folders below which a database is captured although no test registered it: the package's and the temporary ones.
package struct OpenFolders: Sendable, Equatable {
  private let folders: [String]

  package init(packageFolder: String, variable: (String) -> String?) {
    var folders = [packageFolder, "/tmp", "/var/tmp", "/dev/shm"]
    if let folder = variable("TMPDIR") { folders.append(folder) }
    self.folders = folders
  }

  /// The same folders by the paths that they really have, for paths that are resolved too.
  package var resolved: OpenFolders {
    OpenFolders(
      folders: folders.compactMap { folder in
        guard let real = realpath(folder, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
      })
  }

  private init(folders: [String]) {
    self.folders = folders
  }

  package func contain(_ path: String) -> Bool {
    folders.contains { folder in
      let prefix = folder.hasSuffix("/") ? folder : folder + "/"
      return path.hasPrefix(prefix)
    }
  }
}

import Glibc

/// Folders whose databases are captured without registration: the package's and the temporary ones.
package struct OpenFolders: Sendable, Equatable {
  private let folders: [String]

  package init(packageFolder: String, variable: (String) -> String?) {
    var folders = [packageFolder, "/tmp", "/var/tmp", "/dev/shm"]
    if let folder = variable("TMPDIR") { folders.append(folder) }
    self.folders = folders
  }

  /// The same folders without symbolic links, for comparison with resolved paths.
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

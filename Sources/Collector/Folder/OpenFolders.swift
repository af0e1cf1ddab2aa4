/// The folders below which a database is captured although no test registered it: the package's and the temporary ones.
package struct OpenFolders: Sendable, Equatable {
  private let folders: [String]

  package init(packageFolder: String, variable: (String) -> String?) {
    var folders = [packageFolder, "/tmp", "/var/tmp", "/dev/shm"]
    if let folder = variable("TMPDIR") { folders.append(folder) }
    self.folders = folders
  }

  package func contain(_ path: String) -> Bool {
    folders.contains { folder in
      let prefix = folder.hasSuffix("/") ? folder : folder + "/"
      return path.hasPrefix(prefix)
    }
  }
}

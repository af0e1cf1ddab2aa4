import Collector

/// Gives evidence its place in the report folder: `evidence/<test>/<file>`, made of safe names only, each once.
struct EvidenceNames {
  private var taken: Set<String> = []

  /// - Returns: A path relative to the report folder.
  mutating func name(for path: ContainedPath, of test: TestCaseID) -> String {
    let parts = path.path.split(separator: "/").map(String.init)
    // What lies in the run's `evidence/<test>/` keeps the name of that folder.
    let keepsFolder = parts.count > 2 && parts[0] == "evidence" && SafeName(parts[1]).description == parts[1]
    let folder = keepsFolder ? parts[1] : test.folderName.description
    let file = Self.safeFileName(parts.last ?? "")
    for number in 1... {
      let name = "evidence/\(folder)/\(number == 1 ? file : Self.numbered(file, number))"
      if taken.insert(name).inserted { return name }
    }
    return "evidence/\(folder)/\(file)"
  }

  /// A safe name that keeps a plain extension, so that programs still know what the file is.
  static func safeFileName(_ name: String) -> String {
    if SafeName(name).description == name { return name }
    let (stem, suffix) = split(name)
    guard let suffix, suffix.utf8.count <= 12, SafeName(suffix).description == suffix else {
      return SafeName(name).description
    }
    return SafeName(stem, fileExtension: suffix).description
  }

  private static func numbered(_ name: String, _ number: Int) -> String {
    let (stem, suffix) = split(name)
    return "\(stem)-\(number)" + (suffix.map { "." + $0 } ?? "")
  }

  private static func split(_ name: String) -> (stem: String, suffix: String?) {
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return (name, nil) }
    return (String(name[..<dot]), String(name[name.index(after: dot)...]))
  }
}

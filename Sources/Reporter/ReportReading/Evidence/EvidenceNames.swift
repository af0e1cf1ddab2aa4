import Collector
import ReportModel

/// Gives evidence its path in the report folder: `evidence/<test>/<file>`, made of safe names, each once.
struct EvidenceNames {
  private var taken: Set<String> = []

  /// - Returns: A path relative to the report folder.
  mutating func name(for path: ContainedPath, of test: TestCaseID) -> String {
    let parts = path.path.split(separator: "/").map(String.init)
    // A file in the run's `evidence/<test>/` keeps the name of that folder.
    let keepsFolder = parts.count > 2 && parts[0] == "evidence" && SafeName(parts[1]).description == parts[1]
    let folder = keepsFolder ? parts[1] : test.folderName.description
    let file = SafeName(parts.last ?? "", keepsExtension: true).description
    var number = 1
    while true {
      let name = "evidence/\(folder)/\(SafeName.numbered(file, number))"
      if taken.insert(name).inserted { return name }
      number += 1
    }
  }
}

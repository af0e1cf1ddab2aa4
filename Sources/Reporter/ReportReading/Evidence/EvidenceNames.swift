import Collector
import ReportModel

/// Makes unique paths for evidence in the report: `evidence/<test>/<file>`.
struct EvidenceNames {
  private var taken: Set<String> = []

  mutating func name(for path: ContainedPath, of test: TestCaseID) -> String {
    let parts = path.path.split(separator: "/").map(String.init)
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

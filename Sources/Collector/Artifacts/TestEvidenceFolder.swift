import ExhibitSQLite
package import ExhibitSystem

/// A test case's evidence folder, and the names taken in it.
package struct TestEvidenceFolder: Sendable, Equatable {
  package let path: String
  package let relativePath: String
  private var taken: Set<String> = []

  package init(for test: TestCaseID, in run: RunFolder) throws(SystemError) {
    try FileSystem.createFolder(run.evidenceFolder)
    try FileSystem.checkIsOwnFolder(run.evidenceFolder)
    path = try FileSystem.createNewFolder(test.folderName.description, in: run.evidenceFolder)
    relativePath = String(path.dropFirst(run.path.count + 1))
  }

  /// - Parameter isStem: True when the capture adds an extension.
  package mutating func claim(_ name: String, isStem: Bool) -> String {
    let base = SafeName(isStem ? Self.stem(name) : name, keepsExtension: !isStem).description
    var number = 1
    while true {
      let candidate = isStem && number > 1 ? "\(base)-\(number)" : SafeName.numbered(base, number)
      if taken.insert(candidate).inserted { return candidate }
      number += 1
    }
  }

  private static func stem(_ name: String) -> String {
    let stem = name.dropLast(DatabaseEnding.find(in: name)?.count ?? 0)
    return stem.isEmpty ? name : String(stem)
  }
}

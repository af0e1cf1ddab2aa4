import ExhibitSQLite
package import ExhibitSystem

/// The folder of one test case's evidence, and the names that are taken in it.
package struct TestEvidenceFolder: Sendable, Equatable {
  /// An absolute path.
  package let path: String
  /// The path relative to the run folder.
  package let relativePath: String
  private var taken: Set<String> = []

  /// Makes a new folder for a test, even when the same test ran before.
  package init(for test: TestCaseID, in run: RunFolder) throws(SystemError) {
    try FileSystem.createFolder(run.evidenceFolder)
    try FileSystem.checkIsOwnFolder(run.evidenceFolder)
    path = try FileSystem.createNewFolder(test.folderName.description, in: run.evidenceFolder)
    relativePath = String(path.dropFirst(run.path.count + 1))
  }

  /// Returns a name that no other evidence of the test has.
  ///
  /// - Parameter isStem: True when the capture appends an extension of its own; the name loses a database's extension
  ///   then.
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

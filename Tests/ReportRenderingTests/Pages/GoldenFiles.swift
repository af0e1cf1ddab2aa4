import Foundation
import Testing

@testable import ReportRendering

/// Compares files with those kept in `Tests/Fixtures/Reports`, or with `EXHIBIT_RECORD=1` writes them there.
func expectGolden(_ files: [ReportFile], in name: String) throws {
  let folder = ThisPackage.file("Tests/Fixtures/Reports/\(name)")
  if ProcessInfo.processInfo.environment["EXHIBIT_RECORD"] == "1" {
    try record(files, in: folder)
  }
  let kept = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    .filter { !folder.appendingPathComponent($0).hasDirectoryPath }
  let keptFiles = kept.filter { $0.contains(".") }.sorted()
  #expect(keptFiles == files.map(\.path).sorted(), "EXHIBIT_RECORD=1 swift test records the files again")
  for file in files where keptFiles.contains(file.path) {
    let expected = try Data(contentsOf: folder.appendingPathComponent(file.path))
    #expect(
      String(decoding: file.contents, as: UTF8.self) == String(decoding: expected, as: UTF8.self),
      "\(file.path) has changed; EXHIBIT_RECORD=1 swift test records it again")
  }
}

private func record(_ files: [ReportFile], in folder: URL) throws {
  if FileManager.default.fileExists(atPath: folder.path) { try FileManager.default.removeItem(at: folder) }
  for file in files {
    let url = folder.appendingPathComponent(file.path)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(file.contents).write(to: url)
  }
}

import Foundation
import Testing

/// `report.json` as a program reads it.
struct ReportJSON {
  struct Document: Decodable {
    struct Test: Decodable {
      struct Evidence: Decodable {
        var kind: String
        var path: String?
      }
      var id: String
      var outcome: String
      var evidence: [Evidence]
    }
    struct Finding: Decodable {
      var kind: String
      var message: String
    }
    var outcome: String
    var degraded: Bool
    var counts: [String: Int]
    var faults: [Finding]
    var notices: [Finding]
    var tests: [Test]
  }

  let folder: String
  let document: Document
  var degraded: Bool { document.degraded }

  init(of run: FixtureRun) throws {
    folder = run.artifacts.path + "/report"
    let data = try Data(contentsOf: URL(fileURLWithPath: folder + "/report.json"))
    document = try JSONDecoder().decode(Document.self, from: data)
  }

  func outcome(of test: String) -> String? { document.tests.first { $0.id == test }?.outcome }

  /// The absolute paths of a test's evidence.
  func evidence(of test: String) -> [String] {
    document.tests.first { $0.id == test }?.evidence.compactMap(\.path).map { folder + "/" + $0 } ?? []
  }

  /// The pages of tests whose name contains a word.
  func pages(of word: some StringProtocol) throws -> [String] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder + "/tests")
    return try names.filter { $0.contains(word) }.map {
      try String(contentsOfFile: "\(folder)/tests/\($0)", encoding: .utf8)
    }
  }
}

import Foundation

/// `report.json` as a program reads it.
package struct ReportJSON {
  package struct Document: Decodable {
    package struct Test: Decodable {
      package struct Evidence: Decodable {
        package var kind: String
        package var path: String?
      }
      package var id: String
      package var suite: [String]
      package var name: String
      package var outcome: String
      /// Its page, from the report's folder.
      package var page: String?
      package var evidence: [Evidence]
    }
    package struct Remark: Decodable {
      package var kind: String
      package var message: String
    }
    package var outcome: String
    package var degraded: Bool
    package var counts: [String: Int]
    package var faults: [Remark]
    package var notices: [Remark]
    package var tests: [Test]
  }

  /// The report's folder.
  package let folder: String
  package let document: Document
  package var degraded: Bool { document.degraded }

  /// Reads it from a report's folder.
  package init(in folder: String) throws {
    self.folder = folder
    let data = try Data(contentsOf: URL(fileURLWithPath: folder + "/report.json"))
    document = try JSONDecoder().decode(Document.self, from: data)
  }

  package func outcome(of test: String) -> String? { document.tests.first { $0.id == test }?.outcome }

  /// The absolute paths of a test's evidence.
  package func evidence(of test: String) -> [String] {
    document.tests.first { $0.id == test }?.evidence.compactMap(\.path)
      .filter { !$0.hasSuffix("/story.jsonl") }.map { folder + "/" + $0 } ?? []
  }

  /// The pages of tests whose name contains a word.
  package func pages(of word: some StringProtocol) throws -> [String] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder + "/tests")
    return try names.filter { $0.contains(word) }.map {
      try String(contentsOfFile: "\(folder)/tests/\($0)", encoding: .utf8)
    }
  }
}

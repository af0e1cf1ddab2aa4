import Foundation
import Testing

@testable import ReportInspection

/// docs/why.md tells of every kind, and of no other one.
@Suite struct FindingsDocumentTests {
  private func rows(under heading: String) throws -> [String] {
    let text = try String(contentsOf: ThisPackage.file("docs/why.md"), encoding: .utf8)
    let section = try #require(text.components(separatedBy: "\n## ").first { $0.hasPrefix(heading) })
    return section.matches(of: /(?m)^\| `(\w+)` \|/).map { String($0.1) }
  }

  @Test func everyKindAndEveryOriginHasARow() throws {
    #expect(try rows(under: "The kinds").sorted() == Finding.Kind.allCases.map(\.rawValue).sorted())
    #expect(try Set(rows(under: "Who brought it")) == Set(Finding.Origin.allCases.map(\.rawValue)))
  }

  @Test func whatIsLookedForUnaskedIsWhatTheDocumentSays() {
    #expect(Finding.Kind.standard == Set(Finding.Kind.allCases))
  }
}

package import Collector
import Foundation
package import ReportModel

/// The outcomes in an earlier report.json.
package struct Baseline: Sendable, Equatable {
  package struct Test: Sendable, Equatable {
    package var outcome: Outcome
    /// Seconds.
    package var duration: Double?
  }

  package var tests: [String: Test]

  package enum ReadingError: Error, Equatable, CustomStringConvertible {
    case unreadable(String)
    case notAReport
    case format(FormatRefusal)

    package var description: String {
      switch self {
      case .unreadable(let reason): "The baseline cannot be read: \(reason)"
      case .notAReport: "The baseline is no report.json of reporter."
      case .format(let refusal): "The baseline cannot be read. \(refusal)"
      }
    }
  }

  private struct Wire: Decodable {
    struct Test: Decodable {
      var id: String
      var outcome: String
      var duration: Double?
    }

    var format: String
    var tests: [Test]
  }

  private struct Head: Decodable { var format: String }

  init(tests: [String: Test]) {
    self.tests = tests
  }

  init(_ bytes: Data) throws(ReadingError) {
    let wire: Wire
    do {
      let format = try JSONDecoder().decode(Head.self, from: bytes).format
      try FormatVersion.check(format, against: Report.format)
      wire = try JSONDecoder().decode(Wire.self, from: bytes)
    } catch let refusal as FormatRefusal {
      throw .format(refusal)
    } catch {
      throw .notAReport
    }
    // A newer minor version may have other outcomes.
    let known = wire.tests.compactMap { test in
      Outcome(rawValue: test.outcome).map { (test.id, Test(outcome: $0, duration: test.duration)) }
    }
    tests = Dictionary(known, uniquingKeysWith: { first, _ in first })
  }

  package init(path: String) throws(ReadingError) {
    let bytes: Data
    do {
      bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    } catch {
      throw .unreadable(error.localizedDescription)
    }
    try self.init(bytes)
  }
}

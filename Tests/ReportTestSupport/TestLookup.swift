import Collector

@testable import ReportModel
@testable import ReportReading

extension InputTests {
  /// The observation of a test by the description of its identity.
  subscript(_ id: String) -> Observation? {
    observations.first { $0.id.description == id }
  }

  var outcomes: [String: Outcome] {
    Dictionary(observations.map { ($0.id.description, $0.outcome) }, uniquingKeysWith: { first, _ in first })
  }
}

extension InputJoin {
  subscript(_ id: String) -> TestRecord? {
    tests.first { $0.id.description == id }
  }
}

extension Remarks {
  var faultKinds: [String] { faults.map(\.kind) }
  var noticeKinds: [String] { notices.map(\.kind) }
}

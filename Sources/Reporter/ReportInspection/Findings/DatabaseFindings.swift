/// The findings of one database, sorted for display.
package struct DatabaseFindings: Sendable, Equatable {
  package var findings: [Finding] = []
  /// Sentences on what was not examined.
  package var unexamined: [String] = []
  /// True when time ran out, so the result depends on the machine.
  package var isCutByTime = false

  /// Adds the origin of each finding: the last step, the test, unknown, or before the test; sorts by it.
  ///
  /// - Parameters:
  ///   - baseline: The findings at the test's start, if known.
  ///   - written: The rows known to be written by the test.
  package func compared(with baseline: DatabaseFindings?, _ written: WrittenRows) -> DatabaseFindings {
    let before = Dictionary(
      (baseline?.findings ?? []).map { ($0.subject, $0) }, uniquingKeysWith: { first, _ in first })
    var compared = self
    compared.findings = findings.map { finding in
      var finding = finding
      finding.origin = finding.origin(before[finding.subject], hasBaseline: baseline != nil, written)
      return finding
    }
    compared.sort()
    return compared
  }

  mutating func sort() { findings.sort { $0.rank < $1.rank } }
}

extension Finding {
  package var rank: (Int, Int, Int) {
    (
      Origin.allCases.firstIndex(of: origin) ?? 0, weight.rawValue, Kind.allCases.firstIndex(of: kind) ?? 0
    )
  }

  package struct Subject: Hashable {
    var kind: Kind
    var table: String?
    var columns: [String]
    var triggers: [String]
    var detail: String
  }

  package var subject: Subject {
    Subject(kind: kind, table: table, columns: columns, triggers: triggers, detail: detail)
  }

  fileprivate func origin(_ earlier: Finding?, hasBaseline: Bool, _ written: WrittenRows) -> Origin {
    if let earlier {
      let known = Set(earlier.rows.compactMap(\.key))
      let isNew = rows.contains { $0.writing != nil && !($0.key.map(known.contains) ?? true) }
      let isMore = count ?? 0 > earlier.count ?? 0
      guard isNew || isMore else { return .baseline }
    } else if writing == nil, let step = written.step(behind: self) {
      return step == written.lastStep ? .lastStep : .test
    }
    if let step = writing?.step, step == written.lastStep { return .lastStep }
    return writing == nil && !hasBaseline ? .unknown : .test
  }
}

extension WrittenRows {
  /// The step that caused a finding about other rows, by deleting their parents or firing triggers.
  fileprivate func step(behind finding: Finding) -> Int? {
    switch finding.kind {
    case .brokenForeignKey:
      // The trace may spell a table differently.
      deleted.filter { $0.key.lowercased() == finding.detail.lowercased() }.map(\.value).max()
    case .conflictingTriggers:
      // All triggers must have fired.
      finding.triggers.map { triggers[$0] }.reduce(.max) { least, step in
        least.flatMap { least in step.map { min(least, $0) } }
      }
    default: nil
    }
  }
}

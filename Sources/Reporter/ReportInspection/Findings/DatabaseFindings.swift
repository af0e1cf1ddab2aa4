/// The findings of one database, in the order for the reader.
package struct DatabaseFindings: Sendable, Equatable {
  package var findings: [Finding] = []
  /// The parts that a limit, damage, or what only the app has left unexamined, in sentences for the reader.
  package var unexamined: [String] = []
  /// True when time ran out before all was looked at, so another machine may find more.
  package var isCutByTime = false

  /// The same with its origins: what the last step brought comes first, then what the test did, then what nobody knows
  /// of, then what was there before.
  ///
  /// - Parameters:
  ///   - baseline: The findings of the state that the test started from; `nil` where there is none.
  ///   - written: The rows that the test is known to have written.
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

  /// Puts them in the order of origin, weight and kind; what is alike stays in its order.
  mutating func sort() { findings.sort { $0.rank < $1.rank } }
}

extension Finding {
  /// The sort key of a list of findings: origin, weight, kind.
  package var rank: (Int, Int, Int) {
    (
      Origin.allCases.firstIndex(of: origin) ?? 0, weight.rawValue, Kind.allCases.firstIndex(of: kind) ?? 0
    )
  }

  /// The subject of a finding, whichever rows show it.
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

  /// - Parameter earlier: The same finding of the baseline.
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
  /// The step that brought a finding about rows that the test did not write: it deleted the ones that they refer to, or
  /// ran the triggers.
  fileprivate func step(behind finding: Finding) -> Int? {
    switch finding.kind {
    case .brokenForeignKey:
      // A schema may name a table in other letters than the trace does.
      deleted.filter { $0.key.lowercased() == finding.detail.lowercased() }.map(\.value).max()
    case .conflictingTriggers:
      // All of them have to have run.
      finding.triggers.map { triggers[$0] }.reduce(.max) { least, step in
        least.flatMap { least in step.map { min(least, $0) } }
      }
    default: nil
    }
  }
}

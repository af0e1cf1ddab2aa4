import Collector
import ReportInspection
package import ReportModel
package import ReportPlaces
package import ReportStory

/// A test's findings, most important first, each once even if several copies of a database show it.
package struct TestFindings {
  struct Entry {
    var finding: Finding
    /// Indices of its databases in the test's evidence.
    var evidence: [Int]
  }

  private(set) var entries: [Entry] = []
  private(set) var unexamined: [String] = []
  private let evidence: [TestEvidence]
  /// The same path for all copies of one database, by index.
  private var families: [Int: String] = [:]

  package init(_ test: TestResult, _ contents: ReportContents) {
    evidence = test.evidence
    guard !contents.findings.isEmpty else { return }
    let databases = evidence.enumerated().compactMap { index, evidence in
      evidence.path.flatMap { path in contents.findings[path].map { (index, path, $0) } }
    }
    for (index, path, _) in databases { families[index] = contents.differences[path]?.other ?? path }
    for (index, _, found) in databases {
      for finding in found.findings { add(finding, of: index) }
      for sentence in found.unexamined {
        let told = name(of: index).map { "\($0): \(sentence)" } ?? sentence
        if !unexamined.contains(told) { unexamined.append(told) }
      }
    }
    entries.sort { $0.finding.rank < $1.finding.rank }
    entries = gatheringMany(entries, \.finding) { finding, rest in
      Entry(finding: finding, evidence: Set(rest.flatMap(\.evidence)).sorted())
    }
  }

  var isEmpty: Bool { entries.isEmpty && unexamined.isEmpty }

  var leading: [Entry] { entries.filter { !$0.finding.isFolded } }

  var folded: [Entry] { entries.filter(\.finding.isFolded) }

  /// The first one caused by the test.
  var ofTheTest: Finding? { entries.first.map(\.finding).flatMap { $0.isOfTheTest ? $0 : nil } }

  /// Findings caused by the test as explanations.
  ///
  /// - Parameter place: Finds a step's place.
  package func explanations(place: (Int) -> Place?) -> [Explanation] {
    leading.filter(\.finding.isOfTheTest).prefix(3).map { entry in
      let step = entry.finding.rows.lazy.compactMap(\.writing?.step).first
      let sentence = entry.finding.sentence
      var pieces: [Explanation.Piece] = [
        .values(
          sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence, without: entry.finding.bareText)
      ]
      if let step {
        pieces += [.text(": written ")] + (place(step).map { [.text("by "), .place($0), .text(" ")] } ?? [])
        pieces += [.text("in "), .step(step)]
      }
      return Explanation(
        .likely, pieces + [.text(".")], weight: 62, about: Set(entry.finding.rows.compactMap(\.writing?.step))
      )
    }
  }

  // MARK: - Once each

  private mutating func add(_ finding: Finding, of index: Int) {
    guard let known = entries.firstIndex(where: { isSame($0, finding, of: index) }) else {
      return entries.append(Entry(finding: finding, evidence: [index]))
    }
    entries[known].evidence.append(index)
    let (left, right) = (finding.rank, entries[known].finding.rank)
    let hasMoreRows = finding.count ?? 0 > entries[known].finding.count ?? 0
    if left < right || left == right && hasMoreRows { entries[known].finding = finding }
  }

  /// Views of a file may differ in rows; findings of two files must agree.
  private func isSame(_ entry: Entry, _ finding: Finding, of index: Int) -> Bool {
    guard let first = entry.evidence.first, first != index, families[first] == families[index],
      entry.finding.subject == finding.subject
    else { return false }
    return DatabaseDifference.isView(evidence[first], of: evidence[index])
      || entry.finding.count == finding.count && entry.finding.values == finding.values
  }

  // MARK: - Of which database

  /// The databases' names, if the test has several.
  func databases(of entry: Entry) -> String? {
    var names: [String] = []
    for name in entry.evidence.compactMap(name) where !names.contains(name) { names.append(name) }
    return names.isEmpty ? nil : names.joined(separator: ", ")
  }

  func paths(of entry: Entry) -> [String] { entry.evidence.compactMap { evidence[$0].path } }

  private func name(of index: Int) -> String? {
    let files = Set(families.keys.map { fileName(of: $0) })
    guard files.count > 1 else { return nil }
    let database = evidence[index]
    let isAmbiguous = families.keys.contains {
      evidence[$0].name == database.name && evidence[$0].run == database.run
        && fileName(of: $0) != fileName(of: index)
    }
    let run = database.run.map { " of run \($0.name)" } ?? ""
    return (isAmbiguous ? database.source ?? database.path ?? database.name : database.name) + run
  }

  /// Identifies a database file across views.
  private func fileName(of index: Int) -> [String?] {
    [evidence[index].source ?? evidence[index].path, evidence[index].run?.name]
  }
}

extension Finding {
  var isOfTheTest: Bool { origin == .lastStep || origin == .test }

  fileprivate var values: [RowKey?: [Value]] {
    Dictionary(rows.map { ($0.key, $0.values) }, uniquingKeysWith: { first, _ in first })
  }
}

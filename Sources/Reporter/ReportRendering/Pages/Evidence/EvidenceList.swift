import Collector
import ExhibitSQLite
import ReportInspection
import ReportModel
import ReportStory

/// Values for template `evidence`, databases first; stories are shown elsewhere.
func evidenceValues(_ test: TestResult, in context: PageContext) -> TemplateValues? {
  let hasStory = context.contents.stories[test.id] != nil
  let shown = test.evidence.indices.filter { !(hasStory && test.evidence[$0].isTold) }
  guard !shown.isEmpty else { return nil }
  let order =
    shown.filter { test.evidence[$0].kind == .database }
    + shown.filter { test.evidence[$0].kind != .database }
  let pairs = ImagePair.all(in: test.evidence, context)
  let sections = SharedSections(of: test, in: context)
  let list = order.filter { sections.first(for: $0) == $0 }.map { index in
    let evidence = test.evidence[index]
    var values = commonValues(evidence, number: index + 1, in: context)
    values.set("alike", to: alikeValues(sections.others(like: index).map { test.evidence[$0] }, in: context))
    for kind in kinds { values.set(kind(evidence, index + 1, test, context)) }
    // A single file contains each image per use.
    let isShown = context.single != nil && pairs.contains { $0.reference == index || $0.actual == index }
    if isShown { values.set("image", to: nil) }
    return values
  }
  return [
    "title": counted(shown.count, "piece", "pieces") + " of evidence", "list": list,
    "comparisons": pairs.map { $0.values(test.evidence, in: context) },
  ]
}

/// The databases of other attempts that a section stands for, with links to their files; `nil` without any.
private func alikeValues(_ others: [TestEvidence], in context: PageContext) -> TemplateValues? {
  guard !others.isEmpty else { return nil }
  let attempts = counted(others.count, "other attempt")
  return [
    "words": "\(attempts) left the same schema and rows:",
    "files": others.map { evidence -> TemplateValues in
      [
        "run": evidence.run.map { visibleOnOneLine($0.name) } ?? visibleOnOneLine(evidence.name),
        "link": evidence.path.flatMap(context.link(to:)),
        "download": context.single == nil ? evidence.path.map(fileName) : nil,
      ]
    },
  ]
}

/// Which databases of a test share a section: those of attempts that left the same schema and rows.
private struct SharedSections {
  private var firsts: [Int: Int] = [:]

  init(of test: TestResult, in context: PageContext) {
    for (index, evidence) in test.evidence.enumerated() {
      guard let difference = evidence.path.flatMap({ context.contents.differences[$0] }),
        difference.changes.isSame,
        let other = test.evidence.firstIndex(where: { $0.path == difference.other }),
        test.evidence[other].run != evidence.run
      else { continue }
      firsts[index] = other
    }
  }

  func first(for index: Int) -> Int { firsts[index] ?? index }

  func others(like index: Int) -> [Int] { firsts.filter { $0.value == index }.map(\.key).sorted() }
}

/// Values for template `links`.
func evidenceLinksValues(of test: TestResult, in context: PageContext) -> TemplateValues? {
  guard !test.evidence.isEmpty else { return nil }
  let sections = SharedSections(of: test, in: context)
  let list: [TemplateValues] = test.evidence.enumerated().map { index, evidence in
    [
      "name": visibleOnOneLine(evidence.name),
      "kind": evidence.kind.title,
      "state": evidence.stateText,
      "run": evidence.run.map { "run \(visibleOnOneLine($0.name))" },
      "section": context.link(toPageOf: test).map { page in
        evidence.isTold && context.contents.stories[test.id] != nil
          ? page + (page.hasPrefix("#") ? "-story" : "#story")
          : section(page, number: sections.first(for: index) + 1)
      },
      "file": context.single == nil ? evidence.path.flatMap(context.link(to:)) : nil,
      "size": evidence.bytes.map(sizeText),
      "failure": evidence.path == nil ? visibleOnOneLine(evidence.failure ?? "was not captured") : nil,
      "uncommitted": evidence.details.database?.uncommitted ?? false,
    ]
  }
  return ["list": list]
}

/// What the kinds add to what all evidence has; each function names what it leaves out, too.
private let kinds: [@Sendable (TestEvidence, Int, TestResult, PageContext) -> TemplateValues] = [
  { databaseEvidenceValues($0, number: $1, of: $2, in: $3) },
  { evidence, _, _, context in archiveEvidenceValues(evidence, in: context) },
  { evidence, _, _, context in textEvidenceValues(evidence, in: context) },
]

private func commonValues(_ evidence: TestEvidence, number: Int, in context: PageContext) -> TemplateValues {
  [
    "place": place(number),
    "name": visibleOnOneLine(evidence.name),
    "kind": evidence.kind.title,
    "run": evidence.run.map { "run \(visibleOnOneLine($0.name))" },
    "file": evidence.path.flatMap(context.link(to:)),
    "path": evidence.path.map(visibleOnOneLine),
    "size": evidence.bytes.map(sizeText),
    "source": evidence.source.map(visibleOnOneLine),
    "failure": failureText(evidence),
    "download": context.single == nil ? nil : evidence.path.map(fileName),
    "leftOut": leftOutText(evidence, in: context),
  ]
}

/// What only a text, or a picture, has.
private func textEvidenceValues(_ evidence: TestEvidence, in context: PageContext) -> TemplateValues {
  let text = evidence.path.flatMap { context.contents.texts[$0] }
  return [
    "image": evidence.imagePath.flatMap(context.link(to:)),
    "text": text.map { withoutTerminalSequences(laidOutJSON($0) ?? $0) },
  ]
}

private func place(_ number: Int) -> String { "evidence-\(number)" }

private func section(_ page: String, number: Int) -> String {
  "\(page)\(page.hasPrefix("#") ? "-" : "#")\(place(number))"
}

private func failureText(_ evidence: TestEvidence) -> String? {
  if let failure = evidence.failure { return visible(failure) }
  guard let path = evidence.path else { return "It was not captured, and no input says why." }
  return relativeLink(to: path) == nil ? "Its path leads out of the report, so it is not linked." : nil
}

/// Says which files a single-file report omits.
private func leftOutText(_ evidence: TestEvidence, in context: PageContext) -> String? {
  guard let single = context.single else { return nil }
  let files: [(path: String?, bytes: Int?)] =
    [(evidence.path, evidence.bytes), (evidence.baseline, nil)]
    + evidence.rawFiles.map { ($0.path, $0.bytes) }
  let sentences = files.compactMap { path, bytes -> String? in
    guard let path, single.evidence[path] == nil, relativeLink(to: path) != nil else { return nil }
    let size = bytes.map { " (\(sizeText($0)))" } ?? ""
    let finished = visibleOnOneLine(context.contents.finishedPath(path))
    return "Not in this file\(size): it lies in the report’s folder as \(finished)."
  }
  return sentences.isEmpty ? nil : sentences.joined(separator: "\n")
}

func fileName(_ path: String) -> String {
  path.split(separator: "/").last.map { visibleOnOneLine(String($0)) } ?? "evidence"
}

extension TestEvidence {
  fileprivate var isTold: Bool { kind == .story && path != nil && failure == nil }
}

extension EvidenceKind {
  var title: String { capitalized(rawValue) }
}

import Collector
import ExhibitSQLite
import ExhibitSystem
import ReportModel
import ReportStory

/// `data/values.js`, which the page reads to search values in all failures.
///
/// It lists row files and the values of steps; docs/rows-data.md describes it. Without rows it does not exist.
struct ValuesFile: ~Copyable {
  static let path = "data/values.js"
  private static let mostBytes = 4_000_000
  private static let (longestText, longestBlob, mostTexts) = (400, 38, 60)

  private let context: PageContext
  private var room = mostBytes
  private var (omitted, cut) = (0, 0)
  private var json = JSONText(.script)

  private init(_ context: PageContext) { self.context = context }

  static func file(in context: PageContext) -> ReportFile? {
    guard has(in: context) else { return nil }
    var file = ValuesFile(context)
    file.write()
    let script = DataScript(path: path, function: "values", arguments: "")
    return file.json.withBytes(script.file(json:))
  }

  static func has(in context: PageContext) -> Bool {
    context.single == nil && !context.contents.rowIDs.isEmpty
  }

  private mutating func write() {
    json.open(nil, UInt8(ascii: "{"))
    json.open("tests", UInt8(ascii: "["))
    for test in context.groups.flatMap(\.failures) {
      if let page = context.names.address(of: test) { write(test, page) }
    }
    json.close(UInt8(ascii: "]"))
    json.member("cut", cut)
    json.member("omitted", omitted)
    json.close(UInt8(ascii: "}"))
  }

  private mutating func write(_ test: TestResult, _ page: String) {
    let databases = test.evidence.enumerated().compactMap { index, evidence in
      evidence.path.flatMap { context.contents.rowIDs[$0] }.map {
        [String(index + 1), $0, visibleOnOneLine(shortened(evidence.name, to: 100))]
      }
    }
    let story = context.contents.stories[test.id]
    guard !databases.isEmpty || story != nil else { return }
    json.open(nil, UInt8(ascii: "["))
    json.element(page)
    json.element(visibleOnOneLine(shortened(test.title, to: 200)))
    json.array(nil, databases) { json, database in
      json.array(nil, database) { $0.element($1) }
    }
    json.open(nil, UInt8(ascii: "["))
    if let story { write(story) }
    json.close(UInt8(ascii: "]"))
    json.close(UInt8(ascii: "]"))
  }

  private mutating func write(_ story: Story) {
    let selection = StorySelection(story)
    for step in story.steps where !step.isWithheld {
      let (texts, isCut) = Self.texts(of: step)
      let bytes = texts.reduce(20) { $0 + $1.utf8.count + 3 }
      guard bytes <= room else {
        omitted += 1
        continue
      }
      room -= bytes
      if isCut { cut += 1 }
      json.array { json in
        json.element(step.number)
        json.element(selection.shows(step) ? 1 : 0)
        for text in texts { json.element(text) }
      }
    }
  }

  /// The statement, then distinct values changed and read, and whether some are missing.
  static func texts(of step: StoryStep) -> (texts: [String], isCut: Bool) {
    let changed = (step.changes + step.consequences).flatMap(\.changes).flatMap { $0.new + $0.old }
    let values = (changed + step.results.joined()).compactMap { $0 }
    var seen: Set<String> = []
    let all = values.compactMap(text).filter { seen.insert($0).inserted }
    let whole = [step.statement] + all.prefix(mostTexts)
    let texts = whole.map { shortened($0, to: longestText) }
    let isCut = all.count > mostTexts || texts != whole || values.contains(where: isCut)
    return (texts.map(visibleOnOneLine), isCut)
  }

  private static func isCut(_ value: DatabaseValue) -> Bool {
    switch value {
    case .null, .integer, .real: false
    case .text(_, let whole): whole != nil
    case .blob(let bytes, let whole): whole != nil || bytes.count > longestBlob
    }
  }

  private static func text(_ value: DatabaseValue) -> String? {
    switch value {
    case .null: nil
    case .integer(let number): String(number)
    case .real(let number): number.description
    case .text(let text, _): text.isEmpty ? nil : text
    case .blob(let bytes, _): bytes.isEmpty ? nil : hexadecimal(bytes.prefix(longestBlob))
    }
  }
}

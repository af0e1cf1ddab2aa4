import Collector
import ExhibitSQLite
import ExhibitSystem
import ReportInspection
import ReportModel

extension JSONValue {
  /// A number that is not negative, and so small that those of all steps can be added up.
  var count: Int? { integer.flatMap { 0..<(1 << 40) ~= $0 ? $0 : nil } }

  /// A number of seconds that is not negative.
  fileprivate var seconds: Double? { number.flatMap { 0..<1e9 ~= $0 ? $0 : nil } }
}

extension TestCaseID {
  init?(json: JSONValue) {
    guard let module = json["module"]?.string, let name = json["name"]?.string else { return nil }
    let argument = json["argument"].flatMap { argument in
      argument["description"]?.string.map {
        Argument(ordinal: argument["ordinal"]?.integer ?? 0, description: $0)
      }
    }
    self.init(
      module: module, suite: json["suite"]?.array?.compactMap(\.string) ?? [], name: name, argument: argument)
  }
}

extension RecordedStory.Step {
  convenience init?(json: JSONValue, _ limits: StoryFile.Limits) {
    guard let number = json["number"]?.count, let sql = json["sql"]?.string else { return nil }
    self.init(number: number, sql: sql)
    time = json["time"]?.seconds ?? 0
    connection = json["connection"]?.count ?? 0
    expanded = json["expanded"]?.string
    isReadOnly = json["readOnly"]?.bool ?? false
    isWithheld = json["withheld"]?.bool ?? false
    untold = json["untold"]?.string.map { .init(rawValue: $0) ?? .other }
    switch json["owner"]?.string {
    case nil, "test": owner = .test
    case "connection": owner = .connection
    // A word of a newer version is no knowledge.
    default: owner = .nobody
    }
    wasInTransaction = json["transaction"]?["before"]?.bool ?? false
    isInTransaction = json["transaction"]?["after"]?.bool ?? wasInTransaction
    duration = json["duration"]?.seconds
    rows = json["rows"]?.count
    changed = json["changed"]?.count
    unkept = json["unkept"]?.count ?? 0
    isRunning = json["running"]?.bool ?? false
    if let error = json["error"] {
      self.error = .init(code: error["code"]?.integer ?? 1, message: error["message"]?.string ?? "")
    }
    triggers = json["triggers"]?.array?.prefix(limits.columns).compactMap(\.string) ?? []
    columns = json["columns"]?.array?.prefix(limits.columns).map { $0.string ?? "" } ?? []
    results = json["results"]?.array?.prefix(Self.mostResults).map { Value.row($0, limits) } ?? []
  }

  private typealias Value = RecordedStory.Value

  /// Rows of a result that a story can have; ten are written.
  private static let mostResults = 1000
}

extension RecordedStory.Change {
  init?(json: JSONValue, _ limits: StoryFile.Limits) {
    guard let operation = json["operation"]?.string.flatMap(RowOperation.init(rawValue:)),
      let table = json["table"]?.string
    else { return nil }
    self.init(operation: operation, schema: json["schema"]?.string ?? "main", table: table)
    depth = json["depth"]?.count ?? 0
    key = json["key"]?.integer.map(Int64.init)
    newKey = json["newKey"]?.integer.map(Int64.init)
    blobColumn = json["blob"]?.count
    old = json["old"].map { RecordedStory.Value.row($0, limits) } ?? []
    new = json["new"].map { RecordedStory.Value.row($0, limits) } ?? []
    // One copy of what an update left as it was.
    for column in new.indices where column < old.count && new[column] == old[column] {
      new[column] = old[column]
    }
  }
}

extension RecordedStory.Value {
  /// What is no value is one that was not told.
  fileprivate static func row(_ json: JSONValue, _ limits: StoryFile.Limits) -> [Self?] {
    (json.array ?? []).prefix(limits.columns).map { value($0) }
  }

  private static func value(_ json: JSONValue) -> Self? {
    switch json {
    case .null: return .null
    case .integer(let number): return .integer(number)
    case .number(let number): return .real(number)
    case .string(let text): return .text(text)
    case .bool, .array: return nil
    case .object:
      if let real = json["real"]?.string { return Double(real).map { .real($0) } }
      if let text = json["text"]?.string {
        return .text(text, whole: json["size"]?.count.map { .init(bytes: max($0, text.utf8.count)) })
      }
      guard let bytes = json["blob"]?.string.flatMap([UInt8].init(hexadecimal:)) else { return nil }
      return .blob(bytes, of: json["size"]?.count ?? 0)
    }
  }
}

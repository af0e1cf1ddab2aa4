package import ExhibitSQLite
import ExhibitSystem

package protocol StoryLineContent {
  static var kind: String { get }
  static var blank: Self { get }

  mutating func members<Line: StoryLineMembers & ~Copyable>(in line: inout Line)
}

/// A line whose members are written or read; an absent one is `nil` or empty.
package protocol StoryLineMembers: ~Copyable {
  mutating func text(_ key: String, _ value: inout String?)
  /// Not negative, and small enough to be summed.
  mutating func number(_ key: String, _ value: inout Int?)
  mutating func number(_ key: String, _ value: inout Int64?)
  mutating func seconds(_ key: String, _ value: inout Double?)
  mutating func truth(_ key: String, _ value: inout Bool?)
  mutating func texts(_ key: String, _ value: inout [String])
  mutating func numbers(_ key: String, _ value: inout [Int])
  mutating func values(_ key: String, _ value: inout [DatabaseValue?])
  mutating func rows(_ key: String, _ value: inout [[DatabaseValue?]])
  mutating func test(_ key: String, _ value: inout TestCaseID?)
  mutating func object(_ key: String, isThere: Bool, _ members: (inout Self) -> Void)
  mutating func fail()
}

extension StoryLineMembers where Self: ~Copyable {
  mutating func text(_ key: String, _ value: inout String, orElse other: String? = nil) {
    var told: String? = value
    text(key, &told)
    if let told = told ?? other { value = told } else { fail() }
  }

  mutating func number(_ key: String, _ value: inout Int, orElse other: Int? = nil) {
    var told: Int? = value
    number(key, &told)
    if let told = told ?? other { value = told } else { fail() }
  }

  mutating func tally(_ key: String, _ value: inout Int) {
    var told = value == 0 ? nil : value
    number(key, &told)
    value = told ?? 0
  }

  mutating func seconds(_ key: String, _ value: inout Double, orElse other: Double) {
    var told: Double? = value
    seconds(key, &told)
    value = told ?? other
  }

  mutating func truth(_ key: String, _ value: inout Bool, orElse other: Bool) {
    var told: Bool? = value
    truth(key, &told)
    value = told ?? other
  }

  mutating func flag(_ key: String, _ value: inout Bool) {
    var told = value ? true : nil
    truth(key, &told)
    value = told ?? false
  }

  mutating func word<Word: RawRepresentable<String>>(_ key: String, _ value: inout Word?, orElse other: Word?)
  {
    let word = value?.rawValue
    var told = word
    text(key, &told)
    if told != word { value = told.flatMap { Word(rawValue: $0) ?? other } }
  }
}

// MARK: - Writing

struct StoryLineWriter: ~Copyable, StoryLineMembers {
  private var json = JSONText()

  var bytes: [UInt8] { json.withBytes { Array($0) } }

  mutating func write<Content: StoryLineContent>(_ content: Content) {
    var content = content
    json.open(nil, UInt8(ascii: "{"))
    json.key("kind")
    json.element(Content.kind)
    content.members(in: &self)
    json.close(UInt8(ascii: "}"))
    json.endRecord()
  }

  mutating func text(_ key: String, _ value: inout String?) { write(key, value) { $0.element($1) } }

  mutating func number(_ key: String, _ value: inout Int?) { write(key, value) { $0.element($1) } }

  mutating func number(_ key: String, _ value: inout Int64?) { write(key, value) { $0.element(Int($1)) } }

  mutating func seconds(_ key: String, _ value: inout Double?) { write(key, value) { $0.element($1) } }

  mutating func truth(_ key: String, _ value: inout Bool?) {
    write(key, value) { $0.plain($1 ? "true" : "false") }
  }

  mutating func texts(_ key: String, _ value: inout [String]) { write(key, value) { $0.element($1) } }

  mutating func numbers(_ key: String, _ value: inout [Int]) { write(key, value) { $0.element($1) } }

  mutating func values(_ key: String, _ value: inout [DatabaseValue?]) {
    write(key, value) { $0.element($1) }
  }

  mutating func rows(_ key: String, _ value: inout [[DatabaseValue?]]) {
    write(key, value) { $0.array(nil, $1) { $0.element($1) } }
  }

  mutating func test(_ key: String, _ value: inout TestCaseID?) {
    write(key, value) { json, test in json.object { test.write(to: &$0) } }
  }

  mutating func object(_ key: String, isThere: Bool, _ members: (inout Self) -> Void) {
    guard isThere else { return }
    json.key(key)
    json.open(nil, UInt8(ascii: "{"))
    members(&self)
    json.close(UInt8(ascii: "}"))
  }

  mutating func fail() {}

  private mutating func write<Value>(
    _ key: String, _ value: Value?, _ element: (inout JSONText, Value) -> Void
  ) {
    guard let value else { return }
    json.key(key)
    element(&json, value)
  }

  private mutating func write<Element>(
    _ key: String, _ values: [Element], _ element: (inout JSONText, Element) -> Void
  ) {
    guard !values.isEmpty else { return }
    json.key(key)
    json.array(nil, values, element)
  }
}

extension JSONText {
  fileprivate mutating func element(_ value: DatabaseValue?) {
    switch value {
    case nil: object { $0.member("unknown", true) }
    case .null: plain("null")
    case .integer(let integer): element(Int(integer))
    case .real(let real): object { $0.member("real", real.description) }
    case .text(let text, nil): element(text)
    case .text(let text, let whole?):
      object { json in
        json.member("text", text)
        json.member("size", whole.bytes)
      }
    case .blob(let bytes, let whole):
      object { json in
        json.member("blob", hexadecimal(bytes))
        json.member("size", whole?.bytes ?? bytes.count)
      }
    }
  }
}

// MARK: - Reading

package struct StoryLine {
  package let kind: String
  private let members: [JSONValue.Member]

  package init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let json = JSONValue(bytes), case .object(let members) = json, let kind = json["kind"]?.string
    else {
      return nil
    }
    (self.kind, self.members) = (kind, members)
  }

  package func content<Content: StoryLineContent>(columns: Int = .max) -> Content? {
    var content = Content.blank
    var reader = StoryLineReader(members, columns: columns)
    content.members(in: &reader)
    return reader.isReadable ? content : nil
  }
}

private struct StoryLineReader: StoryLineMembers {
  private var members: [JSONValue.Member]
  private let columns: Int
  /// Behind the member found last, where the next one mostly is.
  private var place: Int
  private var hasPassed = false
  private(set) var isReadable = true

  init(_ members: [JSONValue.Member], columns: Int) {
    (self.members, self.columns) = (members, columns)
    place = members.first?.key == "kind" ? 1 : 0
  }

  /// Most result rows to read; ten are written.
  private static let mostResults = 1000

  private mutating func found(_ key: String) -> JSONValue? {
    if place == members.count, !hasPassed { return nil }
    let (start, hasPassed) = (place, hasPassed)
    let found = members.withUnsafeBufferPointer { members -> (Int, JSONValue)? in
      guard let first = members.baseAddress else { return nil }
      var index = start
      // Otherwise a debug build copies whole members.
      while index < members.count, first[index].key != key { index += 1 }
      if index == members.count {
        if !hasPassed { return nil }
        index = 0
        while index < start, first[index].key != key { index += 1 }
        if index == start { return nil }
      }
      return (index + 1, first[index].value)
    }
    guard let found else { return nil }
    place = found.0
    if place > start + 1 { self.hasPassed = true }
    if case .null = found.1 { return nil }
    return found.1
  }

  mutating func text(_ key: String, _ value: inout String?) { value = found(key)?.string }

  mutating func number(_ key: String, _ value: inout Int?) { value = found(key)?.count }

  mutating func number(_ key: String, _ value: inout Int64?) { value = found(key)?.integer.map { Int64($0) } }

  mutating func seconds(_ key: String, _ value: inout Double?) {
    value = found(key)?.number.flatMap { 0..<1e9 ~= $0 ? $0 : nil }
  }

  mutating func truth(_ key: String, _ value: inout Bool?) { value = found(key)?.bool }

  mutating func texts(_ key: String, _ value: inout [String]) {
    value = found(key)?.array?.prefix(columns).map { $0.string ?? "" } ?? []
  }

  mutating func numbers(_ key: String, _ value: inout [Int]) {
    let told = found(key)?.array ?? []
    value = told.compactMap(\.count)
    if value.count < told.count { value = [] }
  }

  mutating func values(_ key: String, _ value: inout [DatabaseValue?]) {
    value = found(key).map { row($0) } ?? []
  }

  mutating func rows(_ key: String, _ value: inout [[DatabaseValue?]]) {
    value = found(key)?.array?.prefix(Self.mostResults).map { row($0) } ?? []
  }

  mutating func test(_ key: String, _ value: inout TestCaseID?) {
    value = found(key).flatMap { TestCaseID(json: $0) }
  }

  mutating func object(_ key: String, isThere: Bool, _ read: (inout Self) -> Void) {
    guard let inner = found(key) else { return }
    let outer = (members, place, hasPassed)
    if case .object(let own) = inner { members = own } else { members = [] }
    (place, hasPassed) = (0, false)
    read(&self)
    (members, place, hasPassed) = outer
  }

  mutating func fail() { isReadable = false }

  private func row(_ json: JSONValue) -> [DatabaseValue?] {
    (json.array ?? []).prefix(columns).map { DatabaseValue(json: $0) }
  }
}

extension JSONValue {
  fileprivate var count: Int? { integer.flatMap { 0..<(1 << 40) ~= $0 ? $0 : nil } }
}

extension DatabaseValue {
  fileprivate init?(json: JSONValue) {
    switch json {
    case .null: self = .null
    case .integer(let number): self = .integer(number)
    case .number(let number): self = .real(number)
    case .string(let text): self = .text(text)
    case .bool, .array: return nil
    case .object:
      if let real = json["real"]?.string {
        guard let number = Double(real) else { return nil }
        self = .real(number)
      } else if let text = json["text"]?.string {
        self = .text(text, whole: json["size"]?.count.map { .init(bytes: max($0, text.utf8.count)) })
      } else {
        guard let bytes = json["blob"]?.string.flatMap([UInt8].init(hexadecimal:)) else { return nil }
        self = .blob(bytes, of: json["size"]?.count ?? 0)
      }
    }
  }
}

extension TestCaseID {
  package init?(json: JSONValue) {
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

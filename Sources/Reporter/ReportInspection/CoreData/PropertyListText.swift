import ReportModel

/// What a binary property list holds, in words; of a keyed archive the objects that were archived.
///
/// Objects may be referred to a million times, or lie inside of themselves: this stops at a depth, and behind so many
/// characters and members.
package struct PropertyListText {
  private static let (mostDepth, mostMembers, mostText) = (12, 100, 200)

  private let list: BinaryPropertyList
  private let archive: KeyedArchive?
  private var lines: [String] = []
  private var room: Int
  private var members = 100_000

  /// The members of a property list, one a line, indented by two spaces a level.
  ///
  /// - Parameters:
  ///   - bytes: A value of a column.
  ///   - most: The most characters.
  /// - Returns: `nil` for bytes that are no binary property list.
  package static func lines(of bytes: [UInt8], most: Int = 10_000) -> [String]? {
    guard let list = BinaryPropertyList(bytes) else { return nil }
    var text = PropertyListText(list, most)
    text.write(text.archive.map { $0.root ?? $0.top } ?? list.top, label: "", depth: 0, inside: [])
    if !text.hasRoom { text.lines.append("…") }
    return text.lines
  }

  private init(_ list: BinaryPropertyList, _ most: Int) {
    (self.list, room, archive) = (list, most, KeyedArchive(list))
  }

  private var hasRoom: Bool { room > 0 && members > 0 }

  private mutating func add(_ line: String, depth: Int) {
    room -= line.count
    lines.append(String(repeating: "  ", count: depth) + line)
  }

  private mutating func write(_ number: Int, label: String, depth: Int, inside: Set<Int>) {
    guard hasRoom else { return }
    let number = archive?.resolved(number) ?? number
    let object = archive.flatMap { ArchivedObject(number, in: $0) } ?? ArchivedObject(number, in: list)
    switch object {
    case .value(let words): add(label + words, depth: depth)
    case .text(let text):
      let shown = text.count > Self.mostText ? text.prefix(Self.mostText) + "…" : text[...]
      add("\(label)“\(visibleOnOneLine(String(shown)))”", depth: depth)
    case .members(let kind, let all):
      members -= all.count
      guard depth < Self.mostDepth, !inside.contains(number) else {
        return add("\(label)\(kind) …", depth: depth)
      }
      add(label + kind, depth: depth)
      for member in all.prefix(Self.mostMembers) {
        write(
          member.value, label: member.name.map { "\(shownName($0)): " } ?? "", depth: depth + 1,
          inside: inside.union([number]))
      }
      let omitted = all.count - Self.mostMembers
      if omitted > 0 { add("\(counted(omitted, "more member"))", depth: depth + 1) }
    }
  }
}

/// An object of a property list or of a keyed archive, as people read it.
private enum ArchivedObject {
  case value(String)
  case text(String)
  /// What it is, and its members, which have names in dictionaries and in objects of classes.
  case members(String, [(name: String?, value: Int)])

  init(_ number: Int, in list: BinaryPropertyList) {
    self =
      switch list.node(number) {
      case .null?: .value("null")
      case .bool(let value)?: .value(value ? "true" : "false")
      case .integer(let value)?: .value(String(value))
      case .real(let value)?: .value(String(value))
      case .date(let seconds)?: .value(Self.time(seconds))
      case .data(let bytes)?: .value(Self.words(bytes))
      case .text(let text)?: .text(text)
      case .reference(let number)?: .value("reference \(number)")
      case .array(let all)?: .members(counted(all.count, "member"), all.map { (nil, $0) })
      case .dictionary(let all)?:
        .members(
          counted(all.count, "member"), Self.sorted(all.map { (list.text($0.key) ?? "?", $0.value) }))
      case nil: .value("unreadable")
      }
  }

  /// - Returns: `nil` for an object that no class described.
  init?(_ number: Int, in archive: KeyedArchive) {
    let list = archive.list
    if list.text(number) == "$null" {
      self = .value("nil")
      return
    }
    guard let name = archive.className(of: number).map(shownName) else { return nil }
    let values = archive.references("NS.objects", of: number)
    if archive.member("NS.keys", of: number) != nil {
      let keys = archive.references("NS.keys", of: number)
      self = .members(name, Self.sorted(zip(keys, values).map { (list.text($0) ?? "?", $1) }))
    } else if archive.member("NS.objects", of: number) != nil {
      self = .members("\(name), \(counted(values.count, "member"))", values.map { (nil, $0) })
    } else if let text = archive.text("NS.string", of: number) {
      self = .text(text)
    } else if case .real(let seconds)? = archive.node("NS.time", of: number) {
      self = .value(Self.time(seconds))
    } else if case .data(let bytes)? = archive.node("NS.uuidbytes", of: number), bytes.count == 16 {
      self = .value(uuidText(bytes))
    } else if case .data(let bytes)? = archive.node("NS.data", of: number) {
      self = .value(Self.words(bytes))
    } else if case .dictionary(let all)? = list.node(number) {
      let named = all.map { (list.text($0.key) ?? "?", $0.value) }.filter { $0.0 != "$class" }
      self = .members(name, Self.sorted(named))
    } else {
      return nil
    }
  }

  private static func sorted(_ members: [(String, Int)]) -> [(name: String?, value: Int)] {
    members.sorted { $0.0 < $1.0 }.map { ($0.0, $0.1) }
  }

  private static func time(_ seconds: Double) -> String {
    timeText(seconds + secondsTo2001) ?? "\(seconds) seconds since 2001"
  }

  private static func words(_ bytes: [UInt8]) -> String {
    let digits = bytes.prefix(32).map { padded(String($0, radix: 16), to: 2, with: "0") }.joined()
    return "\(counted(bytes.count, "byte"))\(bytes.isEmpty ? "" : " \(digits)\(bytes.count > 32 ? "…" : "")")"
  }
}

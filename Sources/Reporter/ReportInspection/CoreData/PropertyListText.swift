import ExhibitSystem
import ReportModel

/// What a binary property list holds, in words; of a keyed archive the objects that were archived.
///
/// Objects may be referred to a million times, or lie inside of themselves: this stops at a depth, and behind so many
/// characters and members.
package struct PropertyListText {
  private static let (mostDepth, mostMembers, mostText) = (12, 100, 200)
  /// Of more members those that come first are named and sorted.
  fileprivate static let mostNamed = 1000

  private let list: BinaryPropertyList
  private let archive: KeyedArchive?
  private var lines: [String] = []
  private var room: Int

  /// The members of a property list, one a line, indented by two spaces a level.
  ///
  /// - Parameters:
  ///   - bytes: A value of a column.
  ///   - most: The most bytes of them.
  ///   - work: What may be read of it, and of lists behind it; what was read is taken off.
  /// - Returns: `nil` for bytes that are no binary property list.
  static func lines(of bytes: [UInt8], most: Int = 10_000, work: inout Int) -> [String]? {
    let share = min(work, 200_000)
    guard let list = BinaryPropertyList(bytes, work: share) else { return nil }
    defer { work -= share - list.workLeft }
    var text = PropertyListText(list, most)
    text.write(text.archive.map { $0.root ?? $0.top } ?? list.top, label: "", depth: 0, inside: [])
    if !text.hasRoom { text.lines.append("…") }
    return text.lines
  }

  private init(_ list: BinaryPropertyList, _ most: Int) {
    (self.list, room, archive) = (list, most, KeyedArchive(list))
  }

  private var hasRoom: Bool { room > 0 && list.hasWork }

  private mutating func add(_ line: String, depth: Int) {
    room -= line.utf8.count + 2 * depth
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
    case .members(let kind, let count, let all):
      guard depth < Self.mostDepth, !inside.contains(number) else {
        return add("\(label)\(kind) …", depth: depth)
      }
      add(label + kind, depth: depth)
      for member in all.prefix(Self.mostMembers) {
        write(
          member.value, label: member.name.map { "\(shownName($0)): " } ?? "", depth: depth + 1,
          inside: inside.union([number]))
      }
      let omitted = count - Self.mostMembers
      if omitted > 0 { add("\(counted(omitted, "more member"))", depth: depth + 1) }
    }
  }
}

/// An object of a property list or of a keyed archive, as people read it.
private enum ArchivedObject {
  case value(String)
  case text(String)
  /// What it is, how many members it has, and the first, which have names in dictionaries and in objects of classes.
  case members(String, Int, [(name: String?, value: Int)])

  init(_ number: Int, in list: BinaryPropertyList) {
    self =
      switch list.node(number) {
      case .null?: .value("null")
      case .bool(let value)?: .value(value ? "true" : "false")
      case .integer(let value)?: .value(String(value))
      case .real(let value)?: .value(String(value))
      case .date(let seconds)?: .value(Self.time(seconds))
      case .data(let bytes, let count)?: .value(Self.words(bytes, count))
      case .text(let text)?: .text(text)
      case .reference(let number)?: .value("reference \(number)")
      case .array(let all)?: .members(counted(all.count, "member"), all.count, Self.unnamed(all))
      case .dictionary(let all)?:
        .members(
          counted(all.count, "member"), all.count, Self.named(all.lazy.map { ($0.key, $0.value) }, list, nil))
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
    if archive.member("NS.keys", of: number) != nil {
      let (keys, values) = (
        archive.references("NS.keys", of: number), archive.references("NS.objects", of: number)
      )
      self = .members(name, values.count, Self.named(zip(keys, values), list, archive))
    } else if archive.member("NS.objects", of: number) != nil {
      let values = archive.references("NS.objects", of: number)
      self = .members("\(name), \(counted(values.count, "member"))", values.count, Self.unnamed(values))
    } else if let text = archive.text("NS.string", of: number) {
      self = .text(text)
    } else if case .real(let seconds)? = archive.node("NS.time", of: number) {
      self = .value(Self.time(seconds))
    } else if case .data(let bytes, 16)? = archive.node("NS.uuidbytes", of: number) {
      self = .value(uuidText(bytes))
    } else if case .data(let bytes, let count)? = archive.node("NS.data", of: number) {
      self = .value(Self.words(bytes, count))
    } else if case .dictionary(let all)? = list.node(number) {
      let own = all.filter { !list.isText($0.key, "$class") }
      self = .members(name, own.count, Self.named(own.lazy.map { ($0.key, $0.value) }, list, archive))
    } else {
      return nil
    }
  }

  private static func unnamed(_ values: [Int]) -> [(name: String?, value: Int)] {
    values.prefix(PropertyListText.mostNamed).map { (nil, $0) }
  }

  /// By their names.
  private static func named(
    _ members: some Sequence<(Int, Int)>, _ list: BinaryPropertyList, _ archive: KeyedArchive?
  ) -> [(name: String?, value: Int)] {
    members.prefix(PropertyListText.mostNamed).map { (name(of: $0, list, archive), $1) }
      .sorted { $0.0 < $1.0 }.map { ($0.0, $0.1) }
  }

  private static func name(of key: Int, _ list: BinaryPropertyList, _ archive: KeyedArchive?) -> String {
    let key = archive?.resolved(key) ?? key
    return switch list.node(key) {
    case .text(let text)?: text
    case .integer(let value)?: String(value)
    case .real(let value)?: String(value)
    case .bool(let value)?: value ? "true" : "false"
    default: archive?.text("NS.string", of: key) ?? "?"
    }
  }

  private static func time(_ seconds: Double) -> String {
    timeText(seconds + secondsTo2001) ?? "\(seconds) seconds since 2001"
  }

  private static func words(_ bytes: [UInt8], _ count: Int) -> String {
    let digits = hexadecimal(bytes.prefix(32))
    return "\(counted(count, "byte"))\(bytes.isEmpty ? "" : " \(digits)\(count > 32 ? "…" : "")")"
  }
}

import Foundation
import Testing

/// `story.jsonl`, read for comparison with what really happened.
struct ToldStory {
  struct Line: Decodable {
    struct Transaction: Decodable {
      var before: Bool
      var after: Bool
    }
    struct Failure: Decodable { var code: Int32 }

    var kind: String
    var number: Int?
    var connection: Int?
    var sql: String?
    var owner: String?
    var transaction: Transaction?
    var error: Failure?
    var unkept: Int?
    var missing: Int?
    var step: Int?
    var operation: String?
    var schema: String?
    var table: String?
    var key: Int64?
    var newKey: Int64?
    var blob: Int?
    var old: [Value]?
    var new: [Value]?
    var results: [[Value]]?
  }

  /// A value in one word: its type's letter, and it.
  ///
  /// Whole numbers in a REAL column come as integers from SQLite 3.40.
  struct Value: Decodable, Equatable {
    var word: String

    private enum Keys: CodingKey { case real, text, blob }

    init(from decoder: any Decoder) throws {
      if let keyed = try? decoder.container(keyedBy: Keys.self) {
        if let real = try keyed.decodeIfPresent(String.self, forKey: .real).flatMap(Double.init) {
          word = "r\(real)"
        } else if let blob = try keyed.decodeIfPresent(String.self, forKey: .blob) {
          word = "b" + blob
        } else if try keyed.decodeIfPresent(String.self, forKey: .text) != nil {
          word = "cut"
        } else {
          word = Self.unknown
        }
        return
      }
      let single = try decoder.singleValueContainer()
      if single.decodeNil() {
        word = "n"
      } else if let integer = try? single.decode(Int64.self) {
        word = "i\(integer)"
      } else {
        word = "t" + (try single.decode(String.self))
      }
    }

    static let unknown = "unknown"
  }

  struct Step {
    var line: Line
    var changes: [Line] = []
  }

  let lines: [Line]
  let steps: [Step]

  init(_ text: String) throws {
    lines = try text.split(separator: "\n").map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
    var steps: [Step] = []
    for line in lines {
      if line.kind == "step" { steps.append(Step(line: line)) }
      if line.kind == "change" {
        let last = try #require(steps.indices.last)
        #expect(line.step == steps[last].line.number)
        steps[last].changes.append(line)
      }
    }
    self.steps = steps
  }
}

/// How often rows came, or went: less than 0.
struct NetChange: Equatable {
  private(set) var rows: [String: Int] = [:]

  var isEmpty: Bool { rows.isEmpty }

  mutating func add(_ row: String, _ count: Int = 1) {
    let words = row.split(separator: "|", omittingEmptySubsequences: false).map {
      $0.hasPrefix("r") && $0.hasSuffix(".0") ? "i" + $0.dropFirst().dropLast(2) : String($0)
    }
    let row = words.joined(separator: "|")
    let sum = rows[row, default: 0] + count
    rows[row] = sum == 0 ? nil : sum
  }

  mutating func add(_ other: NetChange) {
    for (row, count) in other.rows { add(row, count) }
  }

  func filtered(_ isWanted: (String) -> Bool) -> NetChange {
    var some = NetChange()
    for (row, count) in rows where isWanted(row) { some.add(row, count) }
    return some
  }

  var inverse: NetChange {
    var inverse = NetChange()
    for (row, count) in rows { inverse.add(row, -count) }
    return inverse
  }

  /// Whether it is the other one, where values that are not told may be anything.
  func agrees(with truth: NetChange) -> Bool {
    var difference = self
    difference.add(truth.inverse)
    var rest = difference.rows
    for (row, count) in rest where row.contains(ToldStory.Value.unknown) {
      guard let other = rest.keys.first(where: { rest[$0] == -count && Self.agree(row, $0) }) else {
        return false
      }
      rest[row] = nil
      rest[other] = nil
    }
    return rest.isEmpty
  }

  private static func agree(_ told: String, _ true: String) -> Bool {
    if told == `true` { return true }
    let (told, others) = (told.split(separator: "|"), `true`.split(separator: "|"))
    return told.count == others.count
      && zip(told, others).allSatisfy { $0 == $1 || $0 == ToldStory.Value.unknown }
  }
}

extension ToldStory.Step {
  /// What its changes come to.
  ///
  /// A blob that was written to in place is told with its row as it was.
  func net(withoutKeys: (String) -> Bool) -> NetChange {
    var net = NetChange()
    for change in changes {
      let table = "\(change.schema ?? "").\(change.table ?? "")"
      func row(_ values: [ToldStory.Value], _ key: Int64?) -> String {
        let key = withoutKeys(table) ? "-" : "i\(key ?? 0)"
        return "\(table)|\(key)|\(values.map(\.word).joined(separator: "|"))"
      }
      if let old = change.old { net.add(row(old, change.key), -1) }
      if let new = change.new { net.add(row(new, change.newKey ?? change.key)) }
    }
    return net
  }
}

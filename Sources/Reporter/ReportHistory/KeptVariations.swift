import Collector
import Foundation
package import ReportModel

/// Differences between passes of a test, as stored.
package struct KeptVariations: Sendable, Equatable {
  /// Increases with each write.
  package var number: Int64
  package var varied: Set<PassVariation>

  private static let most = 100

  /// - Parameter variations: Only the first ones are stored.
  static func text(_ variations: [PassVariation]) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    var text = "["
    for variation in variations.prefix(most) {
      let object = String(decoding: try encoder.encode(variation), as: UTF8.self)
      if text.utf8.count + object.utf8.count + 2 > HistoryFile.mostTextBytes { break }
      text += (text == "[" ? "" : ",") + object
    }
    return text + "]"
  }

  /// Empty for an invalid text.
  static func read(_ text: String?) -> Set<PassVariation> {
    guard let text, let value = Array(text.utf8).withUnsafeBufferPointer({ JSONValue($0) }) else { return [] }
    let read = (value.array ?? []).prefix(most).compactMap { value -> PassVariation? in
      guard let statement = value["statement"]?.string, let kind = value["kind"]?.string else { return nil }
      return PassVariation(statement: statement, kind: kind)
    }
    return Set(read)
  }
}

extension HistoryStore {
  /// The differences between passes, by test identity, on a label's machines.
  package func variations(label: String) throws(HistoryError) -> [String: KeptVariations] {
    try read { connection in
      let found = try connection.all(
        """
        SELECT tests.identity, variations.id, variations.varied FROM variations
        JOIN tests ON tests.id = variations.test WHERE variations.label = ?
        """, [.text(label)]
      ) { rows in
        let varied = KeptVariations.read(rows.shortText(at: 2))
        return (rows.shortText(at: 0) ?? "", KeptVariations(number: rows.integer(at: 1), varied: varied))
      }
      return Dictionary(found) { $1 }
    }
  }
}

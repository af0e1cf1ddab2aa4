import Foundation

/// The bytes of one record: JSON without a line break inside, and one at its end.
package enum LogLine {
  package static func encode(_ record: LogRecord) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(record) + [UInt8(ascii: "\n")]
  }
}

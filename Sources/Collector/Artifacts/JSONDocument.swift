package import Foundation

/// A readable JSON document with sorted keys and a final line break.
package func jsonDocument(_ value: some Encodable) throws -> Data {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
  return try encoder.encode(value) + [UInt8(ascii: "\n")]
}

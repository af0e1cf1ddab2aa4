package import Foundation

/// A value as a document of the artifacts folder that people can read too, with an end of line.
package func jsonDocument(_ value: some Encodable) throws -> Data {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
  return try encoder.encode(value) + [UInt8(ascii: "\n")]
}

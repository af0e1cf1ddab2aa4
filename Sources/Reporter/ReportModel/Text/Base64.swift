internal import Foundation

package func base64(_ bytes: [UInt8]) -> String {
  Data(bytes).base64EncodedString()
}

extension [UInt8] {
  package mutating func append(base64 bytes: [UInt8]) {
    // A multiple of three bytes, so that only the last is padded.
    let most = 48 * 1024
    for start in stride(from: 0, to: bytes.count, by: most) {
      append(contentsOf: Data(bytes[start..<Swift.min(start + most, bytes.count)]).base64EncodedData())
    }
  }
}

internal import Foundation

/// The bytes in base64, on one line.
func base64(_ bytes: [UInt8]) -> String {
  Data(bytes).base64EncodedString()
}

import ExhibitSystem
import ReportModel

/// A data file as a script that calls `exhibit.FUNCTION(ARGUMENTS, DATA)`, since pages opened from disk can only load
/// scripts.
///
/// Large data is packed: `exhibit.packed("FUNCTION", [ARGUMENTS], "…")` holds gzip in base64.
struct DataScript {
  private static let leastPacked = 8 * 1024

  var path: String
  var function: String
  /// JSON values separated by commas, or empty.
  var arguments: String

  func file(json: UnsafeBufferPointer<UInt8>) -> ReportFile {
    if let packed = packed(json) { return packed }
    return ReportFile(path: path, contents: Array(beginning.utf8) + json + Array(");\n".utf8))
  }

  func file(bytes: [UInt8]) -> ReportFile {
    bytes.withUnsafeBufferPointer(packed)
      ?? ReportFile(path: path, contents: call(beginning + "\"", base64: bytes))
  }

  private var beginning: String { "exhibit.\(function)(\(arguments)\(arguments.isEmpty ? "" : ",")" }

  private func packed(_ bytes: UnsafeBufferPointer<UInt8>) -> ReportFile? {
    guard bytes.count >= Self.leastPacked, let packed = gzip(bytes) else { return nil }
    let contents = call("exhibit.packed(\"\(function)\",[\(arguments)],\"", base64: packed)
    return ReportFile(path: path, contents: contents)
  }

  private func call(_ beginning: String, base64 bytes: [UInt8]) -> [UInt8] {
    let end = "\");\n"
    var call: [UInt8] = []
    call.reserveCapacity(beginning.utf8.count + (bytes.count + 2) / 3 * 4 + end.utf8.count)
    call += beginning.utf8
    call.append(base64: bytes)
    call += end.utf8
    return call
  }
}

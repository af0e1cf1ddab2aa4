import ExhibitSystem
import ReportModel

/// A file of the report's data, as a classic script that calls `exhibit.FUNCTION(ARGUMENTS, DATA)`, because a page on disk
/// may load nothing else.
///
/// Much data is packed: `exhibit.packed("FUNCTION", [ARGUMENTS], "…")` has it as a gzip file in base64.
struct DataScript {
  /// Bytes of data that are worth packing.
  private static let leastPacked = 8 * 1024

  /// Relative to the report folder.
  var path: String
  var function: String
  /// JSON, separated by commas; may be empty.
  var arguments: String

  /// With a value of JSON.
  func file(json: UnsafeBufferPointer<UInt8>) -> ReportFile {
    if let packed = packed(json) { return packed }
    return ReportFile(path: path, contents: Array(beginning.utf8) + json + Array(");\n".utf8))
  }

  /// With bytes, which a script is given in base64 where they are not packed.
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

  /// In as little memory as it takes.
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

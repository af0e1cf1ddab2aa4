import Collector
import Foundation

/// Reads Swift Testing's event stream of version 0 or 6.3, even cut by a crash.
enum EventStreamInput {
  static func recognises(_ bytes: Data) -> Bool {
    let line = withoutMark(bytes).prefix(1 << 20).prefix { $0 != UInt8(ascii: "\n") }
    guard line.first == UInt8(ascii: "{") else { return false }
    let text = String(decoding: line.prefix(4096), as: UTF8.self)
    return text.contains("\"payload\"") && text.contains("\"version\"") && text.contains("\"kind\"")
  }

  /// Windows shells begin files with a byte order mark.
  private static func withoutMark(_ bytes: Data) -> Data {
    bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes
  }

  /// - Parameter attachments: Absolute folders of attachments.
  static func read(_ file: LoadedFile, attachments: [String]) -> InputTests {
    var stream = EventStreamTests(name: file.name, attachments: attachments)
    let decoder = JSONDecoder()
    for (number, line) in ByteLines(withoutMark(file.bytes)) {
      do {
        // A failing decoder is slow.
        guard line.first == UInt8(ascii: "{") else { throw InputError.unknown(name: file.name) }
        stream.add(try decoder.decode(EventStreamRecord.self, from: line))
      } catch {
        // Writers add the line feed separately, so only the last line can be cut.
        if line.endIndex == file.bytes.endIndex { continue }
        stream.noteDamage(line: number)
      }
    }
    return stream.finish()
  }
}

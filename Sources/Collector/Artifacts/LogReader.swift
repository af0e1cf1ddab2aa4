package import Foundation

package struct LogContents: Sendable, Equatable {
  package var header: ProcessHeader?
  package var records: [LogRecord] = []
  package var problems: [LogProblem] = []

  /// False when a test called `exit`: it has died with the process.
  package var isEnded: Bool { hasExited && openTests.isEmpty }

  package var hasExited: Bool {
    records.lastIndex { $0.isOf(ProcessEnd.self) } != nil
  }

  /// Counts a parameterised function unless one of its cases is open.
  package var openTests: Set<TestCaseID> {
    var open: Set<TestCaseID> = []
    var functions: Set<TestCaseID> = []
    for record in records {
      guard let test = record.test else { continue }
      if record.isOf(TestStart.self) { open.insert(test) }
      if record.isOf(TestEnd.self) { open.remove(test) }
      if record.isOf(FunctionStart.self) { functions.insert(test) }
      if record.isOf(FunctionEnd.self) { functions.remove(test) }
    }
    return functions.isEmpty ? open : open.union(functions.subtracting(open.map(\.function)))
  }
}

package enum LogProblem: Sendable, Equatable {
  /// The log, or something in it, has a version that is not read.
  case format(FormatRefusal)
  case headerMissing
  case unreadableLine(Int)
  case moreUnreadableLines(Int)
  case partialLastLine
}

package enum LogReader {
  private static let beginnings = ["{\"kind\":\"testStarted\",", "{\"kind\":\"functionStarted\","]
  private static let mostUnreadable = 10
  private static let ends = ["{\"kind\":\"testFinished\",", "{\"kind\":\"functionFinished\","]

  /// True when the bytes alone show that the process exited in order.
  package static func isWhole(_ bytes: Data) -> Bool {
    var (started, finished, hasEnd) = (0, 0, false)
    let isEveryLineWhole = bytes.withUnsafeBytes { buffer in
      var rest = buffer[...]
      while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        let line = rest[..<end]
        rest = rest[(end + 1)...]
        if line.isEmpty { continue }
        guard line.starts(with: "{\"kind\":\"".utf8), line.suffix(2).elementsEqual("}}".utf8) else {
          return false
        }
        if beginnings.contains(where: { line.starts(with: $0.utf8) }) { started += 1 }
        if ends.contains(where: { line.starts(with: $0.utf8) }) { finished += 1 }
        hasEnd = line.starts(with: "{\"kind\":\"processFinished\",".utf8)
      }
      return rest.isEmpty
    }
    return isEveryLineWhole && hasEnd && started == finished
  }

  package static func read(_ bytes: Data, _ kinds: LogKinds) -> LogContents {
    var contents = LogContents()
    let decoder = JSONDecoder()
    var unreadable = 0
    // A dead process may have left line breaks written in advance.
    let end = bytes.lastIndex { $0 != UInt8(ascii: "\n") }.map { $0 + 1 } ?? bytes.startIndex
    for (number, line) in ByteLines(bytes) {
      do {
        contents.add(try decoder.decode(LogRecord.self, from: line, configuration: kinds))
      } catch is LogKinds.UnknownKind {
        continue
      } catch let refusal as FormatRefusal {
        contents.problems.append(.format(refusal))
        return contents
      } catch {
        if line.endIndex == end, bytes.endIndex != end + 1 {
          contents.problems.append(.partialLastLine)
        } else {
          unreadable += 1
          if unreadable <= mostUnreadable { contents.problems.append(.unreadableLine(number)) }
        }
      }
    }
    if unreadable > mostUnreadable {
      contents.problems.append(.moreUnreadableLines(unreadable - mostUnreadable))
    }
    guard let header = contents.header else {
      contents.problems.insert(.headerMissing, at: 0)
      return contents
    }
    if unreadable > 0, let later = ArtifactsFormat.laterMinor(header.format) {
      contents.problems.append(.format(later))
    }
    return contents
  }
}

extension LogContents {
  fileprivate mutating func add(_ record: LogRecord) {
    guard let header = record.payload as? ProcessHeader else {
      records.append(record)
      return
    }
    if self.header == nil { self.header = header }
  }
}

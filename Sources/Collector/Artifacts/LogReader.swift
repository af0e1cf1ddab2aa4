package import Foundation

/// What a log says, as far as it can be read.
package struct LogContents: Sendable, Equatable {
  /// The first line's; `nil` when it could not be read.
  package var header: ProcessHeader?
  /// The records of the kinds that were asked for, without the header, in the order of the file.
  package var records: [LogRecord] = []
  package var problems: [LogProblem] = []

  /// Whether the process ended in order, and none of its tests ran then: one that calls `exit` has died with it.
  package var isEnded: Bool { hasExited && openTests.isEmpty }

  /// Whether the process ran its exit handlers.
  package var hasExited: Bool {
    // From the end, where it stands.
    records.lastIndex { $0.isOf(ProcessEnd.self) } != nil
  }

  /// The tests that had begun and not ended where the log stops; parameterised functions of which no case had.
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

/// Something about a log's lines that its reader has to be told.
package enum LogProblem: Sendable, Equatable {
  /// The log was written in a format of a newer major version and was not read.
  case newerFormat(String)
  /// The first line is not the record of a process.
  case headerMissing
  /// A line that is not a record, counted from 1.
  case unreadableLine(Int)
  /// The last line has no end: the process died while it wrote it.
  case partialLastLine
}

/// Reads the bytes of a log; whatever can be read is read, kinds that were not asked for are skipped.
package enum LogReader {
  private static let beginnings = ["{\"kind\":\"testStarted\",", "{\"kind\":\"functionStarted\","]
  private static let ends = ["{\"kind\":\"testFinished\",", "{\"kind\":\"functionFinished\","]

  /// Whether a log is surely that of a process that ended in order, found out without decoding it.
  ///
  /// Where it is not, `LogContents.isEnded` can be `true` all the same: lines may be written in another way than
  /// `LogLine` does.
  package static func isWhole(_ bytes: Data) -> Bool {
    var (started, finished, hasEnd) = (0, 0, false)
    let isEveryLineWhole = bytes.withUnsafeBytes { buffer in
      var rest = buffer[...]
      while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        let line = rest[..<end]
        rest = rest[(end + 1)...]
        if line.isEmpty { continue }
        // The payload is an object, and the last member.
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

  /// - Parameter kinds: Those whose records the caller wants.
  package static func read(_ bytes: Data, _ kinds: LogKinds) -> LogContents {
    var contents = LogContents()
    let decoder = JSONDecoder()
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    // Behind the last record of a process that died there may be a stretch of line breaks, made ready for more.
    let last = lines.lastIndex { !$0.isEmpty }
    for (index, line) in lines.enumerated() where !line.isEmpty {
      let isPartial = index == last && index + 2 != lines.count
      do {
        contents.add(try decoder.decode(LogRecord.self, from: line, configuration: kinds))
      } catch is LogKinds.UnknownKind {
        continue
      } catch {
        contents.problems.append(isPartial ? .partialLastLine : .unreadableLine(index + 1))
      }
      if contents.isNewer { return contents }
    }
    if contents.header == nil { contents.problems.insert(.headerMissing, at: 0) }
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
    if let format = ArtifactsFormat(header.format), format.isReadable { return }
    problems.append(.newerFormat(header.format))
  }

  fileprivate var isNewer: Bool {
    problems.contains { if case .newerFormat = $0 { true } else { false } }
  }
}

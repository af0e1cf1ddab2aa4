package import ExhibitSQLite

/// A record in a process's ring: docs/artifacts-format.md, "The trace".
package struct TraceRecord: Sendable, Equatable {
  /// The place where it begins, counted from the first byte that was ever written.
  package var position: UInt64
  /// Nanoseconds since the ring was made.
  package var time: UInt64
  /// The serial of the test in its process; 0 when nobody knows of one.
  package var test: Int
  /// The number of the connection in its process; 0 for none.
  package var connection: Int
  package var content: Content

  package enum Content: Sendable, Equatable {
    /// A text of SQL, which steps name.
    case text(name: UInt64, TraceText)
    case stack(name: UInt64, TraceStack)
    case code(TraceCode)
    /// A connection was opened, which is told at its first statement, or ends: on a stack; `nil` where that is not known.
    case opened(stack: UInt64?)
    case closed(stack: UInt64?)
    case step(Step)
    /// A trigger runs inside a step.
    case trigger(step: UInt64, name: String)
    case columns(step: UInt64, names: [String])
    case row(step: UInt64, values: [DatabaseValue?])
    case change(step: UInt64, RecordedStory.Change)
    case end(End)
    case error(step: UInt64, RecordedStory.Failure)
    /// The text of a step with its values, where its rows turned out not to tell them.
    case values(step: UInt64, text: String)
    case overwritten(Overwritten)
    case began
    case ended
    /// An issue of the test, by its ordinal.
    case issue(Int)
    case baseline
    /// Everything before it is gone, for a reason.
    case cleared(String)
    /// A record of a later version, by the number of its kind.
    case unknown(UInt16)
  }

  /// Steps of one statement at one place of the code whose records were overwritten, counted so far.
  package struct Overwritten: Sendable, Equatable {
    /// The name of their text.
    package var text: UInt64
    /// The name of their stack; `nil` when that is not known.
    package var stack: UInt64?
    package var steps: UInt64
    /// Rows that they changed.
    package var rows: UInt64
    /// Numbers of steps.
    package var first: UInt64
    package var last: UInt64
  }
}

/// A text of SQL, maybe only its beginning.
package struct TraceText: Sendable, Equatable {
  package var text: String
  /// Bytes of all of it.
  package var size: Int

  package init(_ text: String, size: Int) {
    self.text = text
    self.size = size
  }
}

/// The return addresses of the calls that led to a step, innermost first, as they were in the process.
package struct TraceStack: Sendable, Hashable {
  package var addresses: [UInt64]

  package init(_ addresses: [UInt64]) {
    self.addresses = addresses
  }
}

/// A file of which code was in the memory of a process.
package struct TraceCode: Sendable, Hashable {
  package var name: UInt64
  /// Addresses.
  package var begin: UInt64
  package var end: UInt64
  /// The number by which an address in memory is higher than in the file.
  package var bias: UInt64
  /// Bytes, and nanoseconds since 1970 of the last change; 0 where they were not known.
  package var size: UInt64
  package var changedAt: UInt64
  /// In hexadecimal; empty where the file has none.
  package var buildID: String
  package var path: String
}

extension Collection<TraceCode> {
  /// The file that has an address; `nil` for one in no file, or in two at different times.
  func file(having address: UInt64) -> TraceCode? {
    let files = filter { $0.begin <= address && address < $0.end && $0.bias <= address }
    return files.count == 1 ? files.first : nil
  }
}

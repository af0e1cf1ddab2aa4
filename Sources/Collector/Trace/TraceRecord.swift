package import ExhibitSQLite

/// A record in a process's ring: docs/artifacts-format.md, "The trace".
package struct TraceRecord: Sendable, Equatable {
  /// Its offset from the first byte that was ever written.
  package var position: UInt64
  /// Nanoseconds since the ring was made.
  package var time: UInt64
  /// Its number in the process; 0 for an unknown one.
  package var test: Int
  /// Its number in the process; 0 for none.
  package var connection: Int
  package var content: Content

  package enum Content: Sendable, Equatable {
    case text(name: UInt64, TraceText)
    case stack(name: UInt64, TraceStack)
    case code(TraceCode)
    /// Recorded at the connection's first statement or its end.
    case opened(stack: UInt64?)
    case closed(stack: UInt64?)
    case step(Step)
    case trigger(step: UInt64, name: String)
    case columns(step: UInt64, names: [String])
    case row(step: UInt64, values: [DatabaseValue?])
    case change(step: UInt64, RecordedStory.Change)
    case end(End)
    case error(step: UInt64, RecordedStory.Failure)
    /// The text with its values, when rows do not have them.
    case values(step: UInt64, text: String)
    case overwritten(Overwritten)
    case began
    case ended
    case issue(Int)
    case baseline
    /// Why all before it was cleared.
    case cleared(String)
    case unknown(UInt16)
  }

  /// Steps of one statement at one place of the code whose records were overwritten, counted so far.
  package struct Overwritten: Sendable, Equatable {
    package var text: UInt64
    package var stack: UInt64?
    package var steps: UInt64
    package var rows: UInt64
    package var first: UInt64
    package var last: UInt64
  }
}

/// Maybe only its beginning.
package struct TraceText: Sendable, Equatable {
  package var text: String
  package var size: Int

  package init(_ text: String, size: Int) {
    self.text = text
    self.size = size
  }
}

/// Return addresses of the calls that led to a step, innermost first.
package struct TraceStack: Sendable, Hashable {
  package var addresses: [UInt64]

  package init(_ addresses: [UInt64]) {
    self.addresses = addresses
  }
}

package struct TraceCode: Sendable, Hashable {
  package var name: UInt64
  package var begin: UInt64
  package var end: UInt64
  /// What to subtract from an address for the one in the file.
  package var bias: UInt64
  /// Bytes, and the last change in nanoseconds since 1970; 0 when unknown.
  package var size: UInt64
  package var changedAt: UInt64
  package var buildID: String
  package var path: String
}

extension Collection<TraceCode> {
  /// `nil` for an address in no file, or in two at different times.
  func file(having address: UInt64) -> TraceCode? {
    let files = filter { $0.begin <= address && address < $0.end && $0.bias <= address }
    return files.count == 1 ? files.first : nil
  }
}

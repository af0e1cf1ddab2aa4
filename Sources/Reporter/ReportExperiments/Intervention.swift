import ExhibitCSystem

/// What an experiment changes in a run of a test.
package enum Intervention: Sendable, Hashable {
  /// Where the app prepares the first text, the second one is prepared.
  case statement(String, replacement: String)
  /// Each time that a statement of the first text begins, the second one is run before.
  case before(String, run: String)
  /// The run of that number of a statement of the text, from 1, does nothing.
  case leavesOut(String, run: Int)
  /// A statement that is run on each connection that the app opens.
  case connection(String)
  /// A variable of the environment, and its value.
  case environment(String, String)

  /// True for one that keeps a single write from being made.
  package var isOmission: Bool { if case .leavesOut = self { true } else { false } }

  /// True for one that runs a statement more, which may leave something in a file.
  package var isAddition: Bool { if case .before = self { true } else { false } }

  /// The file that the test process reads, without counts; `nil` for what its environment says.
  ///
  /// Its layout is that of `exhibit_intervention.h`.
  package var file: [UInt8]? {
    switch self {
    case .statement(let sql, let replacement):
      Self.bytes(exhibit_changes_statement, Array(sql.utf8), Array(replacement.utf8))
    case .before(let sql, let other): Self.bytes(exhibit_runs_before, Array(sql.utf8), Array(other.utf8))
    case .leavesOut(let sql, let run): Self.bytes(exhibit_leaves_out, Array(sql.utf8), [], run: run)
    case .connection(let setting): Self.bytes(exhibit_sets_connection, [], Array(setting.utf8))
    case .environment: nil
    }
  }

  /// - Returns: `nil` for texts that are too long, or have a 0 in them.
  private static func bytes(
    _ kind: exhibit_intervention_kind, _ first: [UInt8], _ second: [UInt8], run: Int = 0
  ) -> [UInt8]? {
    let headSize = MemoryLayout<exhibit_intervention>.size
    guard headSize + first.count + second.count + 2 <= exhibit_intervention_limit, !first.contains(0),
      !second.contains(0)
    else { return nil }
    var head = exhibit_intervention()
    head.kind = kind.rawValue
    head.run = UInt32(clamping: run)
    (head.first_size, head.second_size) = (UInt32(first.count), UInt32(second.count))
    var bytes = withUnsafeBytes(of: &head) { Array($0) }
    bytes.replaceSubrange(0..<8, with: Array(EXHIBIT_INTERVENTION_MAGIC.utf8))
    return bytes + first + [0] + second + [0]
  }

  /// How often a test process applied what its file says, how often SQLite refused it, and what a changed statement
  /// returned and wrote.
  package struct Counts: Sendable, Equatable {
    package var applied: UInt64
    package var refused: UInt64
    package var rows: UInt64 = 0
    package var written: UInt64 = 0

    package init(applied: UInt64, refused: UInt64) { (self.applied, self.refused) = (applied, refused) }

    /// Reads the counts of a file; `nil` for one that is none.
    package init?(_ bytes: [UInt8]) {
      guard bytes.count >= MemoryLayout<exhibit_intervention>.size else { return nil }
      let head = bytes.withUnsafeBytes { $0.loadUnaligned(as: exhibit_intervention.self) }
      self.init(applied: head.applied, refused: head.refused)
      (rows, written) = (head.rows, head.written)
    }
  }
}

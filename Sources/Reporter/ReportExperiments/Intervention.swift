import ExhibitCSystem

/// A change that an experiment makes to a run.
package enum Intervention: Sendable, Hashable {
  /// Replaces a statement where it is prepared.
  case statement(String, replacement: String)
  /// Runs another statement before each run of a statement.
  case before(String, run: String)
  /// Skips one run of a statement, by number from 1.
  case leavesOut(String, run: Int)
  /// Runs a statement on each new connection.
  case connection(String)
  /// Sets an environment variable.
  case environment(String, String)

  package var isOmission: Bool { if case .leavesOut = self { true } else { false } }

  /// True when it may leave something in a file.
  package var isAddition: Bool { if case .before = self { true } else { false } }

  /// The file for the test process, laid out as in `exhibit_intervention.h`; `nil` for environment variables.
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

  /// - Returns: `nil` for texts that are too long or contain zeros.
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

  /// How often the change was applied and refused, and the rows that the changed statement returned and wrote.
  package struct Counts: Sendable, Equatable {
    package var applied: UInt64
    package var refused: UInt64
    package var rows: UInt64 = 0
    package var written: UInt64 = 0

    package init(applied: UInt64, refused: UInt64) { (self.applied, self.refused) = (applied, refused) }

    /// `nil` for an invalid file.
    package init?(_ bytes: [UInt8]) {
      guard bytes.count >= MemoryLayout<exhibit_intervention>.size else { return nil }
      let head = bytes.withUnsafeBytes { $0.loadUnaligned(as: exhibit_intervention.self) }
      self.init(applied: head.applied, refused: head.refused)
      (rows, written) = (head.rows, head.written)
    }
  }
}

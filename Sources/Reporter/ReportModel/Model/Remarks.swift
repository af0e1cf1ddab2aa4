package struct Remark: Sendable, Hashable {
  /// Stable, in camel case, such as `truncatedXML`.
  package var kind: String
  package var message: String
  /// The user's name for it, or a path below the artifacts folder.
  package var input: String?
}

package struct Remarks: Sendable, Equatable {
  private var lost = RemarkList()
  private var unusual = RemarkList()

  package init() {}

  /// Something lost, guessed or contradictory; after 20 of a kind only counted.
  package var faults: [Remark] { lost.remarks }
  /// Something repaired, or unusual without loss; likewise.
  package var notices: [Remark] { unusual.remarks }

  package mutating func fault(_ kind: Remark.Kind, _ message: String, input: String? = nil) {
    lost.add(Remark(kind: kind.rawValue, message: message, input: input))
  }

  package mutating func notice(_ kind: Remark.Kind, _ message: String, input: String? = nil) {
    unusual.add(Remark(kind: kind.rawValue, message: message, input: input))
  }

  /// Makes notices of faults that a known crash explains.
  package mutating func excuse(_ kinds: Set<Remark.Kind>, in input: String? = nil) {
    let names = Set(kinds.map(\.rawValue))
    unusual.append(lost.remove { names.contains($0.kind) && (input == nil || $0.input == input) })
  }

  package mutating func append(_ other: Remarks) {
    lost.append(other.lost)
    unusual.append(other.unusual)
  }
}

/// After some, only counts: a damaged file can have one a line.
private struct RemarkList: Sendable, Equatable {
  struct Source: Sendable, Hashable {
    var kind: String
    var input: String?

    init(_ remark: Remark) { (kind, input) = (remark.kind, remark.input) }
  }

  private static let maximumCount = 20
  private var told: [Remark] = []
  private var counts: [Source: Int] = [:]
  private var exceeded: [Source] = []

  var remarks: [Remark] {
    told
      + exceeded.map { source in
        let more = counts[source, default: 0] - Self.maximumCount
        return Remark(kind: source.kind, message: "\(more) more of this kind.", input: source.input)
      }
  }

  mutating func add(_ remark: Remark) {
    if count(1, of: Source(remark)) { told.append(remark) }
  }

  mutating func append(_ other: RemarkList) {
    for remark in other.told { add(remark) }
    for source in other.exceeded {
      count(other.counts[source, default: 0] - Self.maximumCount, of: source)
    }
  }

  mutating func remove(where isRemoved: (Source) -> Bool) -> RemarkList {
    var removed = RemarkList()
    removed.told = told.filter { isRemoved(Source($0)) }
    removed.counts = counts.filter { isRemoved($0.key) }
    removed.exceeded = exceeded.filter(isRemoved)
    told.removeAll { isRemoved(Source($0)) }
    counts = counts.filter { !isRemoved($0.key) }
    exceeded.removeAll(where: isRemoved)
    return removed
  }

  @discardableResult private mutating func count(_ number: Int, of source: Source) -> Bool {
    let count = counts[source, default: 0] + number
    counts[source] = count
    if count <= Self.maximumCount { return true }
    if count - number <= Self.maximumCount { exceeded.append(source) }
    return false
  }
}

extension Remark {
  package enum Kind: String, Sendable, CaseIterable {
    case captureFailed
    case consoleIncomplete
    case disagreement
    case eventStreamDamaged
    case eventStreamEndedEarly
    case evidenceMissing
    /// Evidence that is outside of its folder, or no file.
    case evidenceOutside
    case evidenceUnreadable
    case failedWithoutFailure
    case changesUnknown
    case historyFull
    case historyNotWritten
    case historyUnreadable
    case historyUnused
    case issueOutsideTest
    case logDamaged
    case limitExceeded
    case fixtureRepeated
    case fixtureUnused
    case logEndedEarly
    /// Databases in memory went with a process that died.
    case memoryLost
    case malformedXML
    case manifestDamaged
    /// Missing from an input that lists all tests of its framework.
    case missingTest
    /// An input has a version of its format that is not read, or not completely.
    case otherFormat
    case passesLeftOut
    case passesUnreadable
    case experimentsUnreadable
    case placesMissing
    /// Nothing shows during which test.
    case processDied
    case repairedXML
    case notCompared
    case noTests
    case repeatedTest
    case shardMissing, shardRepeated, shardOfAnotherCommit, shardUnknown
    /// They are of different splits, so that tests ran twice or not at all.
    case shardsDiffer
    case shardUnended
    /// The order of attempts is a guess then.
    case clockAhead
    case skipsUntold
    case sourceNotShown
    case storyContradicted
    case storyDamaged
    case testCount
    /// Steps were only in memory, which a crash loses.
    case traceInMemory
    case traceMissing
    case traitAlone
    case truncatedXML
    case unreadableInput
    case unclaimedAttachment
    case unobservedTests
    case unrecordedTests
  }
}

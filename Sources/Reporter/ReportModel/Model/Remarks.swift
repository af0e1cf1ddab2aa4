/// Something that the report's reader must know about its inputs.
package struct Remark: Sendable, Hashable {
  /// Stable, in camel case, such as `truncatedXML`.
  package var kind: String
  package var message: String
  /// As the user named it, or relative to the artifacts folder.
  package var input: String?
}

package struct Remarks: Sendable, Equatable {
  private var lost = RemarkList()
  private var unusual = RemarkList()

  package init() {}

  /// Something lost, guessed or contradictory; after 20 of a kind only counted.
  package var faults: [Remark] { lost.remarks }
  /// Something repaired or unusual without loss, likewise.
  package var notices: [Remark] { unusual.remarks }

  package mutating func fault(_ kind: Remark.Kind, _ message: String, input: String? = nil) {
    lost.add(Remark(kind: kind.rawValue, message: message, input: input))
  }

  package mutating func notice(_ kind: Remark.Kind, _ message: String, input: String? = nil) {
    unusual.add(Remark(kind: kind.rawValue, message: message, input: input))
  }

  package mutating func append(_ other: Remarks) {
    lost.append(other.lost)
    unusual.append(other.unusual)
  }
}

/// Counts after some of one kind and input: a damaged file can have one a line.
private struct RemarkList: Sendable, Equatable {
  private struct Source: Sendable, Hashable {
    var kind: String
    var input: String?
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
    if count(1, of: Source(kind: remark.kind, input: remark.input)) { told.append(remark) }
  }

  mutating func append(_ other: RemarkList) {
    for remark in other.told { add(remark) }
    for source in other.exceeded {
      count(other.counts[source, default: 0] - Self.maximumCount, of: source)
    }
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
    /// Two inputs have different outcomes for a test.
    case disagreement
    case eventStreamDamaged
    case eventStreamEndedEarly
    case evidenceMissing
    /// Evidence outside of its folder, or no file.
    case evidenceOutside
    case evidenceUnreadable
    /// `swift test` failed although no test did.
    case failedWithoutFailure
    case changesUnknown
    case historyFull
    case historyNotWritten
    case historyUnreadable
    /// There is no history, or it has nothing to say.
    case historyUnused
    case issueOutsideTest
    case logDamaged
    case limitExceeded
    /// Two tests use one migration fixture.
    case fixtureRepeated
    /// No test used a migration fixture.
    case fixtureUnused
    case logEndedEarly
    case malformedXML
    case manifestDamaged
    /// Missing from an input that lists all tests of its framework.
    case missingTest
    /// An input has another version of its format than is read, so that it, or something in it, was not read.
    case otherFormat
    /// Passing tests were to be recorded, and not all of them were.
    case passesLeftOut
    case passesUnreadable
    case experimentsUnreadable
    case placesMissing
    /// No log or event stream shows during which test.
    case processDied
    case repairedXML
    /// Not compared with another commit, or only in part.
    case notCompared
    case noTests
    /// Several tests, or runs of one, share an identity.
    case repeatedTest
    /// Shards that are absent, double, of another commit, or not recognised.
    case shardMissing, shardRepeated, shardOfAnotherCommit, shardUnknown
    /// Shards of different splits, so that tests ran twice or not at all.
    case shardsDiffer
    /// Its invocations did not end.
    case shardUnended
    /// A machine's clock, so that the order of attempts is a guess.
    case clockAhead
    /// Passed tests may have been skipped.
    case skipsUntold
    /// A named source file whose lines are not shown.
    case sourceNotShown
    case storyContradicted
    case storyDamaged
    /// An xunit file's counts differ from its tests.
    case testCount
    /// Steps were kept in memory only, and a crash loses them.
    case traceInMemory
    case traceMissing
    /// Of Swift Testing only tests with the trait were recorded.
    case traitAlone
    case truncatedXML
    case unreadableInput
    /// No event stream maps these attachments to tests.
    case unclaimedAttachment
    /// Tests of the package that no input has.
    case unobservedTests
    /// Tests ran that no input lists.
    case unrecordedTests
  }
}

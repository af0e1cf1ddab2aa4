/// Something that the report's reader must know about its inputs.
package struct Remark: Sendable, Hashable {
  /// A stable word in camel case, such as `truncatedXML`.
  package var kind: String
  package var message: String
  /// The input, as the user named it or relative to the artifacts folder.
  package var input: String?
}

/// Collects remarks for the report's reader.
package struct Remarks: Sendable, Equatable {
  private var lost = RemarkList()
  private var unusual = RemarkList()

  package init() {}

  /// Remarks on something lost, guessed or contradictory; after 20 of one kind and input the rest is counted.
  package var faults: [Remark] { lost.remarks }
  /// Remarks on something repaired or unusual without loss; counted as faults are.
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

/// A list that counts remarks of one kind and input after some, since a damaged file can have one a line.
private struct RemarkList: Sendable, Equatable {
  private struct Source: Sendable, Hashable {
    var kind: String
    var input: String?
  }

  private static let maximumCount = 20
  private var told: [Remark] = []
  private var counts: [Source: Int] = [:]
  /// The sources with more remarks than are listed, in the order in which they exceeded the limit.
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

  /// - Returns: True when one more is listed.
  @discardableResult private mutating func count(_ number: Int, of source: Source) -> Bool {
    let count = counts[source, default: 0] + number
    counts[source] = count
    if count <= Self.maximumCount { return true }
    if count - number <= Self.maximumCount { exceeded.append(source) }
    return false
  }
}

extension Remark {
  /// The values of `kind` in report.json.
  package enum Kind: String, Sendable, CaseIterable {
    /// Something was not captured although it should have been.
    case captureFailed
    /// A console of `swift test` lacks something, or was cut off.
    case consoleIncomplete
    /// Two inputs have different outcomes for a test.
    case disagreement
    /// A line of an event stream is not a record.
    case eventStreamDamaged
    /// An event stream stops before its end, because its process died.
    case eventStreamEndedEarly
    /// The file of named evidence is missing.
    case evidenceMissing
    /// Named evidence lies outside of its folder, or is not a file.
    case evidenceOutside
    /// Evidence could not be copied into the report.
    case evidenceUnreadable
    /// `swift test` failed although no test did.
    case failedWithoutFailure
    /// What changed since a pass is not known.
    case changesUnknown
    /// The history has no room for the passes of all tests.
    case historyFull
    /// The run was not added to the history.
    case historyNotWritten
    /// The history cannot be read, so the report tells of no earlier runs.
    case historyUnreadable
    /// There is no history, or it has nothing to say of this report.
    case historyUnused
    /// An issue belongs to no test.
    case issueOutsideTest
    /// A line of a log is not a record.
    case logDamaged
    /// Something exceeds a limit and was cut or left out.
    case limitExceeded
    /// Two tests use the same migration fixture although each should have its own.
    case fixtureRepeated
    /// No test of the run used a migration fixture.
    case fixtureUnused
    /// A log stops before its end, because its process died.
    case logEndedEarly
    /// XML is malformed beyond repair, or in an encoding that is not converted.
    case malformedXML
    /// `run.json` is missing or damaged.
    case manifestDamaged
    /// A test is missing from an input that lists all tests of its framework.
    case missingTest
    /// An input has another version of its format than is read, so that it, or something in it, was not read.
    case otherFormat
    /// Passing tests were to be recorded, and not all of them were.
    case passesLeftOut
    /// Passing tests were recorded, and their records cannot be read, or not all of them.
    case passesUnreadable
    /// What experiments found out of failed tests cannot be read.
    case experimentsUnreadable
    /// The places in the code where steps were run are not known, or not all of them.
    case placesMissing
    /// A test process died, and no log or event stream shows during which test.
    case processDied
    /// XML was repaired before it could be read.
    case repairedXML
    /// Failed tests are not compared with another commit, or not as well as they could be.
    case notCompared
    /// The run has no tests.
    case noTests
    /// Several tests, or runs of one test, share an identity.
    case repeatedTest
    /// A shard is missing, is there twice, is of another commit, or cannot be told from others.
    case shardMissing, shardRepeated, shardOfAnotherCommit, shardUnknown
    /// Shards are of different splits, so that tests ran twice or not at all.
    case shardsDiffer
    /// A shard's invocations did not come to their end.
    case shardUnended
    /// The clock of a run's machine is ahead, so that the order of attempts is a guess.
    case clockAhead
    /// Tests count as passed and may have been skipped, because their only input does not tell.
    case skipsUntold
    /// A file is named as a place in the sources, and its lines are not shown.
    case sourceNotShown
    /// A story contradicts the captured database.
    case storyContradicted
    /// A test's story, or a part of it, cannot be read.
    case storyDamaged
    /// The counts at the head of an xunit file differ from its tests.
    case testCount
    /// Test processes kept their steps only in memory, so a crash leaves none.
    case traceInMemory
    /// A test process died, and no trace of its steps was found.
    case traceMissing
    /// Only tests with the trait were recorded of Swift Testing.
    case traitAlone
    /// XML stops before its end.
    case truncatedXML
    /// An input could not be read at all.
    case unreadableInput
    /// No event stream maps these attachments to tests.
    case unclaimedAttachment
    /// No input has these tests of the package.
    case unobservedTests
    /// Tests ran that no input lists.
    case unrecordedTests
  }
}

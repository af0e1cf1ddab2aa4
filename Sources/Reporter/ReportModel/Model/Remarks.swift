/// Something the reader of the report has to know about its inputs.
package struct Remark: Sendable, Hashable {
  /// A stable word in camel case, such as `truncatedXML`.
  package var kind: String
  package var message: String
  /// The input it is about, as the user named it or relative to the artifacts folder.
  package var input: String?
}

/// What readers of a report have to know, gathered on the way.
package struct Remarks: Sendable, Equatable {
  private var lost = RemarkList()
  private var unusual = RemarkList()

  package init() {}

  /// Lost, guessed or contradictory; those of one kind and input are counted after 20.
  package var faults: [Remark] { lost.remarks }
  /// Repaired or unusual, nothing lost; counted as faults are.
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

/// Remarks, of which those of one kind and input are counted after some: a damaged file can have one a line.
private struct RemarkList: Sendable, Equatable {
  private struct Source: Sendable, Hashable {
    var kind: String
    var input: String?
  }

  private static let maximumCount = 20
  private var told: [Remark] = []
  private var counts: [Source: Int] = [:]
  /// The sources that have more than are told, in the order in which they came to.
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

  /// - Returns: Whether one more is told.
  @discardableResult private mutating func count(_ number: Int, of source: Source) -> Bool {
    let count = counts[source, default: 0] + number
    counts[source] = count
    if count <= Self.maximumCount { return true }
    if count - number <= Self.maximumCount { exceeded.append(source) }
    return false
  }
}

extension Remark {
  /// The words that `kind` can be; they stand in report.json.
  package enum Kind: String, Sendable, CaseIterable {
    /// Something should have been captured and was not.
    case captureFailed
    /// Two inputs say different things about a test.
    case disagreement
    /// A line of an event stream is not a record.
    case eventStreamDamaged
    /// An event stream stops before its end: its process died.
    case eventStreamEndedEarly
    /// Evidence is named whose file is not there.
    case evidenceMissing
    /// Evidence is named that lies outside its folder, or is not a file.
    case evidenceOutside
    /// Evidence could not be brought into the report.
    case evidenceUnreadable
    /// `swift test` failed although no test did.
    case failedWithoutFailure
    /// An issue that no test owns.
    case issueOutsideTest
    /// A line of a log is not a record.
    case logDamaged
    /// Something goes beyond a limit and was cut or left out.
    case limitExceeded
    /// Two tests that should each have a migration fixture of their own use the same.
    case fixtureRepeated
    /// No test of the run used a migration fixture.
    case fixtureUnused
    /// A log stops before its end: its process died.
    case logEndedEarly
    /// XML that is not well-formed in a way that cannot be repaired, or not in UTF-8.
    case malformedXML
    /// `run.json` is missing or damaged.
    case manifestDamaged
    /// A test is missing from an input that lists all tests of its framework.
    case missingTest
    /// A format of a newer major version, which was not read.
    case newerFormat
    /// A test process died, and no log or event stream shows in which test.
    case processDied
    /// XML that had to be repaired before it could be read.
    case repairedXML
    /// The run has no tests.
    case noTests
    /// Several tests, or runs of one test, share an identity.
    case repeatedTest
    /// Tests that count as passed and may have been skipped: their only input does not tell.
    case skipsUntold
    /// A file is named as a place in the sources whose lines are not shown.
    case sourceNotShown
    /// A story says what the captured database contradicts.
    case storyContradicted
    /// A story of what a test did, or a part of it, cannot be read.
    case storyDamaged
    /// Counts at the head of an xunit file that its tests do not add up to.
    case testCount
    /// Test processes could keep their steps in memory only: a crash leaves none.
    case traceInMemory
    /// A test process died, and no trace of its steps was found.
    case traceMissing
    /// Swift Testing was recorded by the trait alone.
    case traitAlone
    /// XML that stops before its end.
    case truncatedXML
    /// An input that could not be read at all.
    case unreadableInput
    /// Attachments that no event stream maps to a test.
    case unclaimedAttachment
    /// Tests of the package that no input says anything about.
    case unobservedTests
    /// Tests ran that no input lists.
    case unrecordedTests
  }
}

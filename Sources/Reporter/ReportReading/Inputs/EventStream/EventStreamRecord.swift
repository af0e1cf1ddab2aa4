import Collector
import ReportModel

/// One line of Swift Testing's event stream.
///
/// Keys with an underscore exist in version 0, and in 6.3 with
/// `SWT_EXPERIMENTAL_EVENT_STREAM_FIELDS_ENABLED=1`. Sources: swift-testing's `Documentation/ABI/JSON.md`,
/// and recorded streams.
struct EventStreamRecord: Decodable, Sendable {
  enum Payload: Sendable {
    case test(Test)
    case event(Event)
    case unknown
    case newer(version: String)
  }

  static let newestVersion = "6.3"
  private static let newestMajorVersion = 6

  var payload: Payload

  private enum Key: String, CodingKey {
    case kind, payload, version
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let version = Self.version(in: container)
    if let version, let major = version.split(separator: ".").first.flatMap({ Int($0) }),
      major > Self.newestMajorVersion
    {
      payload = .newer(version: version)
      return
    }
    payload =
      switch try container.decode(String.self, forKey: .kind) {
      case "test": .test(try container.decode(Test.self, forKey: .payload))
      case "event": .event(try container.decode(Event.self, forKey: .payload))
      default: .unknown
      }
  }

  private static func version(in container: KeyedDecodingContainer<Key>) -> String? {
    if let text = try? container.decode(String.self, forKey: .version) { return text }
    return (try? container.decode(Int.self, forKey: .version)).map(String.init)
  }

  struct Test: Decodable, Sendable {
    var kind: String
    var id: String
    var displayName: String?
    var sourceLocation: SourceLocation?
    var _testCases: [TestCase]?
    var _tags: [String]?
  }

  struct TestCase: Decodable, Sendable {
    var id: String
    var displayName: String
  }

  struct Event: Decodable, Sendable {
    var kind: String
    var testID: String?
    var instant: Instant?
    var messages: [Message]?
    var issue: Issue?
    var attachment: Attachment?
    var _testCase: TestCase?
    var _comments: [String]?
  }

  struct Instant: Decodable, Sendable {
    /// Seconds on a monotonic clock.
    var absolute: Double
    /// Seconds since 1970.
    var since1970: Double?
  }

  struct Message: Decodable, Sendable {
    var symbol: String?
    var text: String
  }

  struct Issue: Decodable, Sendable {
    var isKnown: Bool
    /// `warning` or `error`; absent in version 0.
    var severity: String?
    var sourceLocation: SourceLocation?
  }

  struct SourceLocation: Decodable, Sendable {
    var fileID: String?
    /// In version 0 the key has an underscore.
    var filePath: String?
    var _filePath: String?
    var line: Int
  }

  struct Attachment: Decodable, Sendable {
    /// Absolute.
    var path: String?
    var _preferredName: String?
  }
}

extension SourceReference {
  init?(_ location: EventStreamRecord.SourceLocation?) {
    guard let location else { return nil }
    self.init(file: location.filePath ?? location._filePath ?? location.fileID, line: location.line)
  }
}

extension TestIssue {
  /// Joins the messages: the first says what happened, others are comments.
  init(_ event: EventStreamRecord.Event, _ issue: EventStreamRecord.Issue) {
    let messages = (event.messages ?? []).map(\.text)
    self.init(
      message: messages.isEmpty ? "Issue recorded" : messages.joined(separator: "\n"),
      location: SourceReference(issue.sourceLocation),
      severity: issue.severity == "warning" ? .warning : .error,
      isKnown: issue.isKnown)
  }
}

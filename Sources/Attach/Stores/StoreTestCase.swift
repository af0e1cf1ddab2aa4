import Collector
public import XCTest

/// What of a store is attached to a test that failed.
public enum StoreAttachment: Sendable {
  /// The database as one file, with what its WAL held.
  case database
  /// The whole folder, compressed: `-wal`, `-shm`, hidden folders and what else lies in it.
  case folder
}

/// A base class whose every test has a fresh store of its own on disk, in WAL mode.
///
/// The store is made before a test and destroyed after it. When the test fails the store is attached to it, as it
/// was at the first failure.
///
/// ```swift
/// final class DeparturesTests: StoreTestCase<SQLiteStore> {
///   override func prepare(_ store: SQLiteStore) throws {
///     try store.database.execute("CREATE TABLE departure (line TEXT, minute INTEGER)")
///   }
///
///   func testTheNextDeparture() throws {
///     let board = try Board(path: store.path)
///     …
///   }
/// }
/// ```
open class StoreTestCase<Store: TestStore>: XCTestCase {
  private var current: Store?

  /// The test's own store, from `setUpWithError` to `tearDownWithError`.
  public var store: Store {
    guard let current else {
      preconditionFailure(
        "There is no store: StoreTestCase makes it in setUpWithError. An override has to call super first.")
    }
    return current
  }

  /// What is attached when a test fails; by default the database.
  open var attachments: [StoreAttachment] { [.database] }

  /// Called with each fresh store, to make its schema and its first rows; by default it does nothing.
  ///
  /// What it leaves is the baseline: the report shows what a test changed of it.
  ///
  /// - Parameter store: The store of the test that comes, empty.
  /// - Throws: What fails the test before its body.
  open func prepare(_ store: Store) throws {}

  /// Makes the store; overrides call it first.
  ///
  /// - Throws: What making the store throws, or `prepare(_:)`.
  open override func setUpWithError() throws {
    try super.setUpWithError()
    let store = try Store(.onDisk)
    current = store
    for attachment in attachments { attachOnFailure(store.evidence(attachment)) }
    try prepare(store)
    EvidenceRequests.process?.markBaseline([store.evidence], for: TestScope.running)
  }

  /// Destroys the store; overrides call it last.
  ///
  /// What of the store cannot be removed is named in the report and fails no test.
  ///
  /// - Throws: What `XCTestCase` throws.
  open override func tearDownWithError() throws {
    if let store = current {
      current = nil
      store.destroyAfterTest()
    }
    try super.tearDownWithError()
  }
}

extension TestStore {
  fileprivate func evidence(_ attachment: StoreAttachment) -> Evidence {
    switch attachment {
    case .database: evidence
    case .folder: .directory(at: folder, named: "Store folder")
    }
  }

  /// Destroys it once its test is over; what is left behind is named in the report and fails no test.
  func destroyAfterTest() {
    do {
      try destroy()
    } catch {
      Recorder.process?.output.log(
        CaptureFailure(
          kind: .directory, name: "Store folder", source: folder.path, reason: .io, message: "\(error)"),
        test: TestScope.running?.id)
    }
  }
}

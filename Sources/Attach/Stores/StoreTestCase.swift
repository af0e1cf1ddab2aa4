import Collector
public import XCTest

/// The part of a store that is attached to a failed test.
public enum StoreAttachment: Sendable {
  /// The database with the content of its WAL, in one file.
  case database
  /// The whole folder, compressed.
  case folder
}

/// A base class whose every test has a fresh store on disk, in WAL mode.
///
/// When a test fails, the store is attached as it was at the first failure. It is destroyed after the test.
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

  /// Prepares each fresh store with its schema and first rows.
  ///
  /// The report shows what a test changed since.
  ///
  /// - Parameter store: The empty store of the next test.
  /// - Throws: An error, which fails the test before its body.
  open func prepare(_ store: Store) throws {}

  /// Makes the store; overrides call it first.
  ///
  /// - Throws: The errors of making the store and of `prepare(_:)`.
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
  /// The report names what cannot be removed.
  ///
  /// - Throws: The errors of `XCTestCase`.
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

  /// The report names what cannot be removed; no test fails.
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

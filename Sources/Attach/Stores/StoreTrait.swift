#if compiler(>=6.1)
  public import Testing

  /// The trait that gives every test a seeded store of its own and records it, as `.attachOnFailure` does.
  ///
  /// Seeds of nested suites and of the test run after those around them, on the same store.
  public struct StoreTrait<Store: TestStore>: SuiteTrait, TestTrait, TestScoping {
    /// `nil` for the outer suite's kind, or in memory.
    let kind: StoreKind?
    let seed: @Sendable (Store.Database) throws -> Void
    let place: SourceLocation

    /// A suite's trait covers every test in it.
    public var isRecursive: Bool { true }

    /// Makes or seeds the store of one test case; called by Swift Testing.
    ///
    /// - Throws: The errors of `function`, and `StoreError` when the store cannot be made or a seed fails.
    public func provideScope(
      for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
      guard testCase != nil else { return try await function() }
      let recording = AttachOnFailureTrait(evidence: [], exclusions: Exclusions())
      try await recording.provideScope(for: test, testCase: testCase) {
        if let store = CurrentStores.stores[ObjectIdentifier(Store.self)] as? Store {
          try checkKind(of: store)
          try seed(store)
          try await function()
        } else {
          try await withNewStore(function)
        }
      }
    }

    private func withNewStore(_ function: @Sendable () async throws -> Void) async throws {
      let store = try Store(kind ?? .inMemory)
      // A failure is captured when the scope ends, before the store is destroyed.
      let goesWithScope = TestScope.task?.atEnd { store.destroyAfterTest() } ?? false
      defer { if !goesWithScope { store.destroyAfterTest() } }
      EvidenceRequests.process?.register([store.evidence], for: TestScope.task, caller: ".store")
      try seed(store)
      var stores = CurrentStores.stores
      stores[ObjectIdentifier(Store.self)] = store
      try await CurrentStores.$stores.withValue(stores) { try await function() }
    }

    private func seed(_ store: Store) throws {
      do {
        try store.write(seed)
      } catch {
        throw StoreError(.seed, "The seed of .store at \(place.fileID):\(place.line) failed: \(error)")
      }
      if TestScope.task != nil { markBaseline(store.evidence) }
    }

    private func checkKind(of store: Store) throws {
      guard let kind, kind != store.kind else { return }
      throw StoreError(
        .kind,
        "The trait .store at \(place.fileID):\(place.line) asks for a store \(kind.words), but a suite around it"
          + " has made one \(store.kind.words). Leave the kind to the outermost suite.")
    }
  }

  extension StoreKind {
    fileprivate var words: String {
      switch self {
      case .onDisk: "on disk"
      case .inMemory: "in memory"
      }
    }
  }

  enum CurrentStores {
    @TaskLocal static var stores: [ObjectIdentifier: any TestStore] = [:]
  }

  extension TestStore {
    /// The store that the trait `.store` made for the running test.
    ///
    /// ```swift
    /// let notes = NoteRepository(try SQLiteStore.current.connect())
    /// ```
    ///
    /// - Throws: `StoreError` when no trait made one; the error names the trait to add.
    public static var current: Self {
      get throws {
        if let store = CurrentStores.stores[ObjectIdentifier(Self.self)] as? Self { return store }
        let trait =
          Self.self == SQLiteStore.self ? ".store { db in … }" : ".store(\(Self.self).self) { db in … }"
        let test = Test.current.map { "The test \($0.name)" } ?? "What runs here"
        throw StoreError(
          .noStore,
          "\(test) has no \(Self.self), so there is no schema and there are no rows. Add the trait \(trait) to the test"
            + " or to a suite around it.")
      }
    }
  }

  extension Trait where Self == StoreTrait<SQLiteStore> {
    /// Gives every test a `SQLiteStore` of its own, and seeds it.
    ///
    /// Traits of nested suites and of the test seed the same store, from the outermost on. A seed that throws
    /// fails the test.
    ///
    /// ```swift
    /// @Suite(.store { db in try db.execute("CREATE TABLE game (name TEXT)") })
    /// struct GameTests {
    ///   @Test func isAdded() throws {
    ///     try SQLiteStore.current.database.execute("INSERT INTO game VALUES ('Go')")
    ///   }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - kind: The place of the database, given by the outermost suite; in memory by default.
    ///   - sourceLocation: The place that the error of a seed names; the trait's own by default.
    ///   - seed: Makes the schema and the first rows, in one transaction.
    public static func store(
      _ kind: StoreKind? = nil, sourceLocation: SourceLocation = #_sourceLocation,
      seed: @escaping @Sendable (SQLiteStore.Connection) throws -> Void
    ) -> Self {
      Self(kind: kind, seed: seed, place: sourceLocation)
    }
  }

  extension Trait {
    /// Gives every test a store of the named type, and seeds it.
    ///
    /// - Parameters:
    ///   - type: `GRDBStore`, or a store type of your own.
    ///   - kind: The place of the database, given by the outermost suite; in memory by default.
    ///   - sourceLocation: The place that the error of a seed names; the trait's own by default.
    ///   - seed: Makes the schema and the first rows, in one transaction.
    public static func store<Store>(
      _ type: Store.Type, _ kind: StoreKind? = nil, sourceLocation: SourceLocation = #_sourceLocation,
      seed: @escaping @Sendable (Store.Database) throws -> Void
    ) -> Self where Self == StoreTrait<Store> {
      Self(kind: kind, seed: seed, place: sourceLocation)
    }
  }
#endif

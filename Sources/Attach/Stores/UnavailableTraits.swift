#if compiler(<6.1)
  public import Testing

  /// The trait that records and captures, with Swift 6.1 and later.
  @available(
    *, unavailable, message: "Traits that scope tests need Swift 6.1. Call attachOnFailure in the test."
  )
  public struct AttachOnFailureTrait: SuiteTrait, TestTrait {}

  @available(
    *, unavailable, message: "Traits that scope tests need Swift 6.1. Call attachOnFailure in the test."
  )
  extension Trait where Self == AttachOnFailureTrait {
    /// Records the tests, with Swift 6.1 and later; with 6.0 they are recorded by linking Attach alone.
    public static var attachOnFailure: Self { Self() }

    /// Captures further evidence of a failing test, with Swift 6.1 and later.
    public static func attachOnFailure(
      _ evidence: Evidence..., excludingTables tables: [String] = [], excludingFiles files: [String] = []
    ) -> Self { Self() }
  }

  /// The trait that gives every test a store, with Swift 6.1 and later.
  @available(
    *, unavailable, message: "Traits that scope tests need Swift 6.1. Make a SQLiteStore in the test."
  )
  public struct StoreTrait<Store: TestStore>: SuiteTrait, TestTrait {}

  @available(
    *, unavailable, message: "Traits that scope tests need Swift 6.1. Make a SQLiteStore in the test."
  )
  extension Trait where Self == StoreTrait<SQLiteStore> {
    /// Gives every test a store, with Swift 6.1 and later.
    public static func store(
      _ kind: StoreKind? = nil, sourceLocation: SourceLocation = #_sourceLocation,
      seed: @escaping @Sendable (SQLiteStore.Connection) throws -> Void
    ) -> Self { Self() }
  }

  extension TestStore {
    /// The store that the trait `.store` made, with Swift 6.1 and later.
    @available(
      *, unavailable, message: "Traits that scope tests need Swift 6.1. Make a SQLiteStore in the test."
    )
    public static var current: Self { get throws { throw StoreError(.noStore, "There is no trait .store.") } }
  }
#endif

#if ATTACH
  @_exported import Attach
#else
  import Testing

  /// What the tests here say to Attach; without it nobody hears it.
  struct AttachOnFailureTrait: SuiteTrait, TestTrait {}

  extension Trait where Self == AttachOnFailureTrait {
    static var attachOnFailure: Self { Self() }
    static func attachOnFailure(_ evidence: Evidence..., excludingTables: [String] = []) -> Self { Self() }
  }

  struct Evidence {
    static func text(_ text: String, named: String) -> Self { Self() }
  }

  enum Keep { case onFailure, always }

  func attach(_ evidence: Evidence, keep: Keep = .onFailure) {}
  func attachOnFailure(_ evidence: Evidence...) {}
  func markBaseline() {}
  func excludeFromEvidence(tables: [String]) {}
#endif

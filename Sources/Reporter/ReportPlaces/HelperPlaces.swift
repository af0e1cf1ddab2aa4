import ReportModel

/// Finds helper functions, such as `Database.run(_:)`, whose callers say more about a statement.
///
/// Helper lines run several statements and have several callers, or their function extends a type of another module.
package struct HelperPlaces {
  private static let fewest = 2
  private static let mostRounds = 4

  private var helpers: Set<SourceReference> = []

  /// - Parameter calls: Stacks with the statements run there.
  package init(_ calls: [(stack: CallStack, statements: Set<Int>)]) {
    for _ in 0..<Self.mostRounds {
      var seen: [SourceReference: (statements: Set<Int>, callers: Set<SourceReference>)] = [:]
      for (stack, statements) in calls {
        let telling = telling(stack)
        guard telling + 1 < stack.frames.count, let line = stack.frames[telling].place.reference,
          let caller = stack.frames[telling + 1].place.reference
        else { continue }
        seen[line, default: ([], [])].statements.formUnion(statements)
        seen[line, default: ([], [])].callers.insert(caller)
      }
      let found = seen.filter {
        $0.value.statements.count >= Self.fewest && $0.value.callers.count >= Self.fewest
      }
      if found.isEmpty { return }
      helpers.formUnion(found.keys)
    }
  }

  /// The innermost frame outside of helpers, or the outermost.
  package func telling(_ stack: CallStack) -> Int {
    let first = stack.frames.firstIndex { frame in
      !frame.place.extendsOtherModule && frame.place.reference.map { !helpers.contains($0) } ?? true
    }
    return first ?? max(0, stack.frames.count - 1)
  }
}

extension Place {
  /// True for an extension of another module's type.
  ///
  /// Its mangled name begins with that module: https://github.com/swiftlang/swift/blob/main/docs/ABI/Mangling.rst
  fileprivate var extendsOtherModule: Bool {
    guard let module = name.module, symbol.hasPrefix("$s") else { return false }
    let rest = symbol.dropFirst(2)
    // Names with word substitutions are encoded differently.
    guard rest.first != "0", let length = Int(rest.prefix { $0.isNumber }) else { return false }
    return rest.drop { $0.isNumber }.prefix(length) != module
  }
}

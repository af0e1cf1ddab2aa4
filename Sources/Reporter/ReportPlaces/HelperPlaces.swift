import ReportModel

/// The lines at which functions such as `Database.run(_:)` run the statements of others: the caller tells more of a step
/// than they do.
///
/// Such a line runs more than one statement, and is called from more than one line; or its function extends a type of another
/// module, as `Database` of GRDB is one.
package struct HelperPlaces {
  /// Distinct statements, and distinct lines that call.
  private static let fewest = 2
  /// Helpers that call helpers.
  private static let mostRounds = 4

  private var helpers: Set<SourceReference> = []

  /// - Parameter calls: The stacks of steps, each with its statements by any number.
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

  /// The index of the innermost frame that is no helper's; of a stack of helpers that of the outermost one.
  package func telling(_ stack: CallStack) -> Int {
    let first = stack.frames.firstIndex { frame in
      !frame.place.extendsOtherModule && frame.place.reference.map { !helpers.contains($0) } ?? true
    }
    return first ?? max(0, stack.frames.count - 1)
  }
}

extension Place {
  /// True when it is a function of the package that extends a type of another module.
  ///
  /// Its symbol begins with that module: https://github.com/swiftlang/swift/blob/main/docs/ABI/Mangling.rst
  fileprivate var extendsOtherModule: Bool {
    guard let module = name.module, symbol.hasPrefix("$s") else { return false }
    let rest = symbol.dropFirst(2)
    // A name with words that repeat is not written out.
    guard rest.first != "0", let length = Int(rest.prefix { $0.isNumber }) else { return false }
    return rest.drop { $0.isNumber }.prefix(length) != module
  }
}

package import Collector

/// The package's own functions on a stack, with what was passed through between them.
package struct CallStack: Sendable, Equatable {
  /// One own function, with the calls in it that follow each other on the stack: of its closures, and of itself.
  package struct Frame: Sendable, Equatable {
    /// The innermost of its calls.
    package var place: Place
    /// The others, from the inside out.
    package var outer: [Place] = []
    /// The modules of others between the outermost of its calls and the next inner frame, or the statement: `GRDB`.
    package var through: [String] = []
  }

  /// Innermost first.
  package private(set) var frames: [Frame] = []
  /// The index of the frame that tells most of the step: the innermost one that is no helper's.
  package var telling = 0
  /// The number of addresses without names.
  package private(set) var unnamed = 0

  /// Reads a stack.
  ///
  /// - Parameter addresses: Innermost first.
  package init(_ addresses: [CodeAddress], in places: CodePlaces) {
    var through: [String] = []
    for address in addresses {
      guard let inlined = places[address] else {
        unnamed += 1
        continue
      }
      for place in inlined {
        if place.isOwn {
          add(place, &through)
        } else if let module = place.name.module ?? address.file.libraryModule,
          !Self.runtime.contains(module), !through.contains(module)
        {
          through.append(module)
        }
      }
    }
  }

  /// The place where the step was made; `nil` where no frame is the package's own.
  package var place: Place? { frames.indices.contains(telling) ? frames[telling].place : nil }

  private mutating func add(_ place: Place, _ through: inout [String]) {
    if let last = frames.indices.last, frames[last].place.name.isInFunction(of: place.name) {
      frames[last].outer.append(place)
      frames[last].through += through.filter { !frames[last].through.contains($0) }
    } else {
      frames.append(Frame(place: place, through: through))
    }
    through = []
  }

  /// Modules of Swift itself and of the test libraries, which every stack passes through.
  private static let runtime: Set = [
    "Swift", "_Concurrency", "_StringProcessing", "Synchronization", "Distributed", "Observation", "Dispatch",
    "Foundation", "FoundationEssentials", "FoundationInternationalization", "XCTest", "Testing",
  ]

  /// The frames of a test's function, from the innermost to the outermost one, with those between them.
  ///
  /// The outermost one is where the test begins. It may be a closure alone, as where a queue runs it; a function inside
  /// of the test's counts where nothing else of it is on the stack. `nil` where the stack has none, as that of set-up,
  /// or of what nobody knows to be the test's.
  package func frames(of test: TestCaseID) -> ClosedRange<Int>? {
    let isXCTest = !test.name.hasSuffix(")")
    let name = isXCTest ? test.name + "()" : test.name
    let function = (test.suite + [name]).joined(separator: ".").withPlainSpaces
    func range(_ isOf: (PlaceName) -> Bool) -> ClosedRange<Int>? {
      let own = frames.indices.filter {
        frames[$0].place.name.module == test.module && isOf(frames[$0].place.name)
      }
      guard let first = own.first, let last = own.last else { return nil }
      return first...last
    }
    if let range = range({ $0.enclosing == nil && $0.function == function })
      ?? range({ $0.enclosing == function })
    {
      return range
    }
    // A test that its class inherits is a function of the class that declares it, where the test library calls it.
    guard isXCTest, let last = frames.indices.last else { return nil }
    let called = frames[last].place.name
    return called.enclosing == nil && called.function.hasSuffix(".\(name)") ? last...last : nil
  }
}

extension CodeFile {
  /// The name of a C library through which functions are passed; `nil` for others.
  fileprivate var libraryModule: String? { name.hasPrefix("libsqlite3.so") ? "SQLite" : nil }
}

package import Collector

/// The package's own functions on a call stack.
package struct CallStack: Sendable, Equatable {
  /// An own function with adjacent calls of itself and its closures.
  package struct Frame: Sendable, Equatable {
    /// Its innermost call.
    package var place: Place
    /// Its other calls, from the inside out.
    package var outer: [Place] = []
    /// Modules called on the way to the next inner frame: `GRDB`.
    package var through: [String] = []
  }

  /// Innermost first.
  package private(set) var frames: [Frame] = []
  /// The frame to show: the innermost that is no helper's.
  package var telling = 0
  package private(set) var unnamed = 0

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

  /// The place to show; `nil` without own frames.
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

  /// Modules that every stack passes through.
  private static let runtime: Set = [
    "Swift", "_Concurrency", "_StringProcessing", "Synchronization", "Distributed", "Observation", "Dispatch",
    "Foundation", "FoundationEssentials", "FoundationInternationalization", "XCTest", "Testing",
  ]

  /// The range of frames from a test function's innermost to its outermost one.
  ///
  /// It may begin with a closure or a local function of the test. `nil` when the stack has none, as in set-up.
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
    // An inherited test belongs to the class that declares it.
    guard isXCTest, let last = frames.indices.last else { return nil }
    let called = frames[last].place.name
    return called.enclosing == nil && called.function.hasSuffix(".\(name)") ? last...last : nil
  }
}

extension CodeFile {
  fileprivate var libraryModule: String? { name.hasPrefix("libsqlite3.so") ? "SQLite" : nil }
}

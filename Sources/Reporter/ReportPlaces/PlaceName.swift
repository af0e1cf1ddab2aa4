/// A function's readable name.
package struct PlaceName: Hashable, Sendable {
  /// The Swift module, for an extension the declaring one; `nil` in C.
  package var module: String?
  /// `Depot.receive(_:)`, `Depot.init(path:)`, `Depot.total` for accessors, `inner(_:)` for a local function, `main`
  /// outside of functions; in C the function's name.
  package var function: String
  /// A closure has the name of its function.
  package var isClosure = false
  /// The function around a local function or type.
  package var enclosing: String?
  /// Distinguishes overloads, from 0.
  package var overload = 0

  /// True for the same function or its closures.
  func isInFunction(of other: PlaceName) -> Bool {
    var (one, two) = (self, other)
    (one.isClosure, two.isClosure) = (false, false)
    return one == two
  }
}

/// The name of a function as people write it, made of a symbol.
package struct PlaceName: Hashable, Sendable {
  /// The Swift module whose code it is, for an extension the one that declares it; `nil` in C.
  package var module: String?
  /// The name with its types: `Depot.receive(_:)`, `Depot.init(path:)`, `Depot.total` for all accessors of a property,
  /// `inner(_:)` for a local function, `main` for code outside of functions; in C the function's name.
  package var function: String
  /// True in a closure, whose name is that of the function it stands in.
  package var isClosure = false
  /// The function around a local one, or around the type whose method it is.
  package var enclosing: String?
  /// Tells functions apart that have the same name and take other types: 0 for the first of them.
  package var overload = 0

  /// True for the same function, in one of its closures or not.
  func isInFunction(of other: PlaceName) -> Bool {
    var (one, two) = (self, other)
    (one.isClosure, two.isClosure) = (false, false)
    return one == two
  }
}

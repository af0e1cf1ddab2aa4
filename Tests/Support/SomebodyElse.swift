import Foundation

/// A user whom the modes of files bind, as whom root runs the programs of these tests.
package enum SomebodyElse {
  /// Runs the program that follows as that user.
  package static let launcher = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]

  /// False where this process is not root, or a folder above the checkout is closed to others.
  package static let reachesTheCheckout: Bool = {
    guard getuid() == 0 else { return false }
    let path = ThisPackage.file("ci").path
    return (try? Command(launcher + ["test", "-x", path]).run().status) == 0
  }()
}

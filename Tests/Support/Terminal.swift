/// A terminal on which a program runs; `script` makes it.
package enum Terminal {
  /// False where there are none, as without `/dev/pts`.
  package static let isAvailable = (try? Command(arguments(running: "true")).run().status) == 0

  /// Runs a line of a shell on a terminal; ends with the status of it.
  package static func arguments(running line: String) -> [String] {
    ["script", "--quiet", "--return", "--command", line, "/dev/null"]
  }
}

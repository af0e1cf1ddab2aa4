import Foundation

/// The output of a command: whether in colours, and how wide its lines may be.
package struct TerminalSettings: Equatable {
  /// When colours are used.
  package enum Colours: String, CaseIterable {
    case auto, always, never
  }

  package var isColoured: Bool
  /// Columns of the terminal; `nil` where standard output is none, and nothing is cut.
  package var width: Int?

  package static func ofStandardOutput(_ colours: Colours = .auto) -> TerminalSettings {
    TerminalSettings(
      colours, environment: ProcessInfo.processInfo.environment,
      terminalWidth: isatty(STDOUT_FILENO) == 1 ? windowWidth() : nil)
  }
}

extension TerminalSettings {
  /// - Parameter terminalWidth: The terminal's width, 0 where it does not know it; `nil` where there is none.
  ///
  /// Source: https://no-color.org.
  init(_ colours: Colours, environment: [String: String], terminalWidth: Int?) {
    let isRefused = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
    isColoured =
      switch colours {
      case .always: true
      case .never: false
      case .auto: terminalWidth != nil && !isRefused && environment["TERM"] != "dumb"
      }
    // As other tools have it, what the user sets comes before what the terminal says.
    let named = environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    width = terminalWidth.map { max(Self.narrowest, named ?? ($0 > 0 ? $0 : 80)) }
  }

  /// Below it nothing can be told.
  private static let narrowest = 20

  private static func windowWidth() -> Int {
    var size = winsize()
    return ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 ? Int(size.ws_col) : 0
  }
}

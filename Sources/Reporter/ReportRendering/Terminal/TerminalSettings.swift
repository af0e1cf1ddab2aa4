import Foundation

/// Colours and width of a command's output.
package struct TerminalSettings: Equatable {
  package enum Colours: String, CaseIterable {
    case auto, always, never
  }

  package var isColoured: Bool
  /// `nil` without a terminal.
  package var width: Int?

  package static func ofStandardOutput(_ colours: Colours = .auto) -> TerminalSettings {
    TerminalSettings(
      colours, environment: ProcessInfo.processInfo.environment,
      terminalWidth: isatty(STDOUT_FILENO) == 1 ? windowWidth() : nil)
  }
}

extension TerminalSettings {
  /// - Parameter terminalWidth: 0 when unknown, `nil` without a terminal.
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
    // As in other tools, the user's setting wins.
    let named = environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    width = terminalWidth.map { max(Self.narrowest, named ?? ($0 > 0 ? $0 : 80)) }
  }

  private static let narrowest = 20

  private static func windowWidth() -> Int {
    var size = winsize()
    return ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 ? Int(size.ws_col) : 0
  }
}

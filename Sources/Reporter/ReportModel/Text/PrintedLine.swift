import ExhibitSystem

/// Makes text from outside safe for a line of a terminal or of a job's log.
///
/// It has no line break and no command that a CI obeys in the middle of a line, and every character that hides, moves
/// or controls others becomes visible.
package func printedLine(_ text: String) -> String {
  withoutLoggingCommands(visibleOnOneLine(text))
}

/// Breaks the beginnings of commands that GitHub (`##[`) and Azure Pipelines (`##vso[`) obey anywhere in a line.
///
/// `::` is a command only at the beginning of a line.
///
/// Source: actions/runner, `ActionCommand.TryParse`, and Azure Pipelines' documentation of logging commands.
package func withoutLoggingCommands(_ text: String) -> String {
  // Most texts have none.
  guard text.holds(numberSign), text.contains("##") else { return text }
  return text.replacing("##[", with: "# #[").replacing("##vso[", with: "# #vso[")
}

private let numberSign = ByteSet { $0 == UInt8(ascii: "#") }

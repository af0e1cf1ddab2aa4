import ExhibitSystem

/// Text from outside as a line of a terminal or of a job's log: without a line break, with every character visible that
/// hides, moves or controls others, and without what a CI obeys in the middle of a line.
package func printedLine(_ text: String) -> String {
  withoutLoggingCommands(visibleOnOneLine(text))
}

/// Parts the beginnings of commands that GitHub (`##[`) and Azure Pipelines (`##vso[`) obey wherever they stand; `::` is
/// one only at the beginning of a line.
///
/// Source: actions/runner, `ActionCommand.TryParse`, and Azure Pipelines' documentation of logging commands.
package func withoutLoggingCommands(_ text: String) -> String {
  // Most texts have none.
  guard text.holds(numberSign), text.contains("##") else { return text }
  return text.replacing("##[", with: "# #[").replacing("##vso[", with: "# #vso[")
}

private let numberSign = ByteSet { $0 == UInt8(ascii: "#") }

import ExhibitSystem

/// Makes text safe for a line of a terminal or a CI log.
package func printedLine(_ text: String) -> String {
  withoutLoggingCommands(visibleOnOneLine(text))
}

/// Breaks commands that GitHub (`##[`) and Azure Pipelines (`##vso[`) obey anywhere in a line.
///
/// Sources: actions/runner's `ActionCommand.TryParse`, Azure Pipelines' documentation.
package func withoutLoggingCommands(_ text: String) -> String {
  guard text.holds(numberSign), text.contains("##") else { return text }
  return text.replacing("##[", with: "# #[").replacing("##vso[", with: "# #vso[")
}

private let numberSign = ByteSet { $0 == UInt8(ascii: "#") }

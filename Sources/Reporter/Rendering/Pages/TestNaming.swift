import Collector

extension TestResult {
  /// What the test is called in headings: its display name if it has one.
  var title: String { displayName ?? id.name }

  /// The sum of issues that made it fail, or of all when none did.
  var leadingIssue: TestIssue? { issues.first(where: \.isFailure) ?? issues.first }

  /// What the template `name` asks for.
  var nameValues: TemplateValues {
    [
      "title": visibleOnOneLine(title),
      "function": displayName == nil ? nil : visibleOnOneLine(id.name),
      "argument": id.argument.map { visibleOnOneLine(shortened($0.description, to: 300)) },
      "repetition": id.argument.flatMap { $0.ordinal > 0 ? $0.ordinal + 1 : nil },
    ]
  }
}

extension TestCaseID {
  /// The module and the suites, outermost first.
  var path: [String] { [module] + suite }

  /// The suites in one line; `nil` for a free function.
  var suiteTitle: String? { suite.isEmpty ? nil : suite.joined(separator: " / ") }
}

extension SourceReference {
  /// `File.swift:42`.
  var text: String { line.map { "\(file):\($0)" } ?? file }
}

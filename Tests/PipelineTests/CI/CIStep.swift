import Foundation

/// One step of a CI job, as a template in `ci/` writes it.
struct CIStep: Equatable {
  var name: String
  /// Its shell commands; `nil` for a step that is an action.
  var script: String?
  /// Whether it runs after an earlier step has failed.
  var isUnconditional = false
  /// Whether it is only for runs that are added to the history.
  var isForAdding = false
  /// Its action; `nil` for a script.
  var action: String?
  /// The folder that the action takes.
  var path: String?

  /// The folder that is uploaded.
  var upload: String? { action?.hasPrefix("actions/upload-artifact@") == true ? path : nil }
  /// The folder that is kept for the next job.
  var cache: String? { action?.hasPrefix("actions/cache@") == true ? path : nil }
  /// The folder that is taken from an earlier job, and the one that is left to a later one.
  var restored: String? { action?.hasPrefix("actions/cache/restore@") == true ? path : nil }
  var saved: String? { action?.hasPrefix("actions/cache/save@") == true ? path : nil }
}

/// Why a template cannot be read; the reader knows only the YAML that the templates use.
struct CITemplateError: Error, CustomStringConvertible {
  var line: String
  var description: String { "This line of the template is not understood: \(line)" }
}

/// The lines of a template without comments and empty lines.
struct CITemplate {
  struct Line {
    var indentation: Int
    var text: String
  }

  var lines: [Line]

  init(_ name: String) throws {
    let file = ThisPackage.file("ci/\(name)")
    lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").compactMap { line in
      let text = line.drop { $0 == " " }
      guard !text.isEmpty, !text.hasPrefix("#") else { return nil }
      return Line(indentation: line.count - text.count, text: String(text))
    }
  }

  /// The lines below the first one with this text, less indented ones excluded.
  func block(_ key: String) throws -> [Line] {
    guard let start = lines.firstIndex(where: { $0.text == key }) else { throw CITemplateError(line: key) }
    return Array(lines[(start + 1)...].prefix { $0.indentation > lines[start].indentation })
  }

  /// The values of a list.
  func items(_ key: String) throws -> [String] {
    try block(key).map { line in
      guard line.text.hasPrefix("- ") else { throw CITemplateError(line: line.text) }
      return String(line.text.dropFirst(2))
    }
  }
}

// MARK: - GitHub

extension CITemplate {
  /// The steps of a GitHub workflow's job.
  func githubSteps() throws -> [CIStep] {
    var steps: [CIStep] = []
    var isInScript = false
    for line in try block("steps:") {
      if isInScript, line.indentation > 8, steps.last?.script != nil {
        steps[steps.count - 1].script? += line.text + "\n"
        continue
      }
      isInScript = line.text.hasSuffix("run: |")
      try read(line, into: &steps)
    }
    return steps
  }

  private func read(_ line: Line, into steps: inout [CIStep]) throws {
    if line.text.hasPrefix("- ") { steps.append(CIStep(name: "")) }
    guard var step = steps.popLast() else { throw CITemplateError(line: line.text) }
    let text = line.text.hasPrefix("- ") ? String(line.text.dropFirst(2)) : line.text
    guard let colon = text.firstIndex(of: ":") else { throw CITemplateError(line: line.text) }
    let value = text[text.index(after: colon)...].trimmingCharacters(in: .whitespaces)
    switch text[..<colon] {
    case "name" where line.indentation <= 8: step.name = value
    case "if" where value == "always()": step.isUnconditional = true
    case "if" where value == "always() && env.HISTORY_ACCESS == 'add'":
      (step.isUnconditional, step.isForAdding) = (true, true)
    case "run": step.script = value == "|" ? "" : value
    case "uses": step.action = value
    case "path": step.path = value
    case "with", "name", "key", "restore-keys": break
    default: throw CITemplateError(line: line.text)
    }
    steps.append(step)
  }
}

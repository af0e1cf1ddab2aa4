@testable import ReportRendering

extension TemplateLibrary {
  /// The template filled with the values, as text.
  func text(_ values: TemplateValues, with name: String) throws -> String {
    String(decoding: try render(values, with: name), as: UTF8.self)
  }
}

import Collector
import ReportModel

/// The files of one test's evidence that the one file holds, as far as they stay within a budget.
package struct EmbeddedFiles {
  /// Reads a file by its path in the report folder; `nil` for what cannot be read, or has more bytes than given.
  package typealias Source = (_ path: String, _ limit: Int) -> [UInt8]?

  /// By path in the report folder: `data:` references.
  private(set) var references: [String: String] = [:]
  private var budget: Int
  private let source: Source

  /// What the test captured comes before what was kept beside it.
  init(of evidence: [TestEvidence], budget: Int, from source: @escaping Source) {
    self.budget = budget
    self.source = source
    for item in evidence { embed(item.path, times: item.imagePath == nil ? 1 : Self.placesOfImages) }
    for item in evidence {
      embed(item.database?.baseline)
      for file in item.rawFiles { embed(file.path) }
    }
  }

  /// An image is linked, and shown; one of a pair once more in their difference.
  private static let placesOfImages = 3

  /// - Parameter times: How often the page names the file at most.
  private mutating func embed(_ path: String?, times: Int = 1) {
    guard let path, references[path] == nil, let bytes = source(path, budget / times / 4 * 3) else { return }
    let reference = "data:\(imageType(of: path) ?? "application/octet-stream");base64," + base64(bytes)
    guard reference.utf8.count * times < budget else { return }
    budget -= reference.utf8.count * times
    references[path] = reference
  }
}

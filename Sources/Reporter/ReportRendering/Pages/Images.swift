import Collector
import ReportModel

extension TestEvidence {
  /// The image's path; `nil` for what is no image that browsers show.
  package var imagePath: String? {
    guard kind == .file || kind == .data, let path, isImage(path) else { return nil }
    return path
  }
}

/// The sources of images on a page with the test's evidence, for its policy; `nil` where it can show none.
///
/// Files lie beside the page; a value of a table that is an image is shown out of the row.
func imageSources(of test: TestResult, in context: PageContext) -> TemplateValues? {
  let links = test.evidence.compactMap(\.imagePath).compactMap(context.link(to:))
  let showsRows = test.evidence.contains { evidence in
    [evidence.path, evidence.database?.baseline].contains { $0.map { hasRows($0, in: context) } == true }
  }
  guard showsRows || !links.isEmpty else { return nil }
  return [
    "areFiles": links.contains { !$0.hasPrefix("data:") },
    "areData": showsRows || links.contains { $0.hasPrefix("data:") },
  ]
}

/// True when a path is one of an image that browsers show.
package func isImage(_ path: String) -> Bool { imageType(of: path) != nil }

/// The media type of an image that browsers show, by the file's extension; `nil` for any other file.
func imageType(of path: String) -> String? {
  path.lastIndex(of: ".").flatMap { imageTypes[path[path.index(after: $0)...].lowercased()] }
}

/// The types that Chromium, Firefox and WebKit show; an SVG in an image runs no script.
private let imageTypes = [
  "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp",
  "avif": "image/avif", "bmp": "image/bmp", "svg": "image/svg+xml",
]

/// Two images of a test of which one shows what the other should.
struct ImagePair {
  /// By their position among the test's evidence.
  var reference: Int
  var actual: Int
  fileprivate var links: (reference: String, actual: String)

  /// The pairs that the page can show.
  static func all(in evidence: [TestEvidence], _ context: PageContext) -> [ImagePair] {
    let images = evidence.indices.filter { evidence[$0].imagePath != nil }
    return images.compactMap { reference in
      guard let subject = subject(of: evidence[reference].name, without: referenceWords),
        let actual = images.first(where: {
          evidence[$0].run == evidence[reference].run
            && subject == ReportRendering.subject(of: evidence[$0].name, without: actualWords)
        }),
        let left = evidence[reference].imagePath.flatMap(context.link(to:)),
        let right = evidence[actual].imagePath.flatMap(context.link(to:))
      else { return nil }
      return ImagePair(reference: reference, actual: actual, links: (left, right))
    }
  }

  /// The values for the template `comparison`.
  func values(_ evidence: [TestEvidence], in context: PageContext) -> TemplateValues {
    [
      "reference": links.reference, "actual": links.actual, "isLinked": context.single == nil,
      "referenceName": visibleOnOneLine(evidence[reference].name),
      "actualName": visibleOnOneLine(evidence[actual].name),
    ]
  }
}

private let referenceWords: Set<Substring> = ["reference", "expected", "baseline", "golden"]
private let actualWords: Set<Substring> = ["actual", "failure", "received", "result"]

/// A name's words without the one that says which of a pair it is; `nil` for a name without such a word.
private func subject(of name: String, without words: Set<Substring>) -> [Substring]? {
  let stem = name.lowercased().split(separator: ".").dropLast().joined(separator: ".")
  let parts = (stem.isEmpty ? name.lowercased() : stem).split { "-_. ()".contains($0) }
  guard let index = parts.firstIndex(where: words.contains) else { return nil }
  var rest = parts
  rest.remove(at: index)
  return rest
}

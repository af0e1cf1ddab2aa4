import Collector
import ReportModel

extension TestEvidence {
  /// The path, if a browser can show it as an image.
  package var imagePath: String? {
    guard kind == .file || kind == .data, let path, isImage(path) else { return nil }
    return path
  }
}

/// Image sources for the content security policy, if any.
///
/// Files lie beside the page; images in rows are data.
func imageSources(of test: TestResult, in context: PageContext) -> TemplateValues? {
  let links = test.evidence.compactMap(\.imagePath).compactMap(context.link(to:))
  let showsRows = test.evidence.contains { evidence in
    [evidence.path, evidence.baseline].contains { $0.map { hasRows($0, in: context) } == true }
  }
  guard showsRows || !links.isEmpty else { return nil }
  return [
    "areFiles": links.contains { !$0.hasPrefix("data:") },
    "areData": showsRows || links.contains { $0.hasPrefix("data:") },
  ]
}

package func isImage(_ path: String) -> Bool { imageType(of: path) != nil }

/// The media type by file extension, if browsers show it.
func imageType(of path: String) -> String? {
  path.lastIndex(of: ".").flatMap { imageTypes[path[path.index(after: $0)...].lowercased()] }
}

/// Types of Chromium, Firefox and WebKit; SVG images run no scripts.
private let imageTypes = [
  "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp",
  "avif": "image/avif", "bmp": "image/bmp", "svg": "image/svg+xml",
]

/// An expected and an actual image.
struct ImagePair {
  var reference: Int
  var actual: Int
  fileprivate var links: (reference: String, actual: String)

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

/// The name's words without the one that marks its role; `nil` without such a word.
private func subject(of name: String, without words: Set<Substring>) -> [Substring]? {
  let stem = name.lowercased().split(separator: ".").dropLast().joined(separator: ".")
  let parts = (stem.isEmpty ? name.lowercased() : stem).split { "-_. ()".contains($0) }
  guard let index = parts.firstIndex(where: words.contains) else { return nil }
  var rest = parts
  rest.remove(at: index)
  return rest
}

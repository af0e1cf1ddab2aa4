import Collector

extension TestEvidence {
  /// The image's path; `nil` for what is no image that browsers show.
  var imagePath: String? {
    guard kind == .file || kind == .data, let path, let point = path.lastIndex(of: ".") else { return nil }
    return imageExtensions.contains(path[path.index(after: point)...].lowercased()) ? path : nil
  }
}

/// What Chromium, Firefox and WebKit show; an SVG in an image runs no script.
private let imageExtensions: Set = ["png", "jpg", "jpeg", "gif", "webp", "avif", "bmp", "svg"]

/// What the template `comparison` asks for: a test's pairs of a reference and an actual image.
func comparisonValues(_ evidence: [TestEvidence], in context: PageContext) -> [TemplateValues] {
  let images = evidence.filter { $0.imagePath != nil }
  return images.compactMap { reference in
    guard let subject = subject(of: reference.name, without: referenceWords),
      let actual = images.first(where: { subject == Reporter.subject(of: $0.name, without: actualWords) }),
      let left = reference.imagePath.flatMap(context.link(to:)),
      let right = actual.imagePath.flatMap(context.link(to:))
    else { return nil }
    return [
      "reference": left, "actual": right, "referenceName": visibleOnOneLine(reference.name),
      "actualName": visibleOnOneLine(actual.name),
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

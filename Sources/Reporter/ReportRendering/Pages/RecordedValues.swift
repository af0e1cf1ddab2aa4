import ReportModel

/// Bytes of an output that are shown from its beginning and from its end.
private let shownOfOutput = (first: 16 << 10, last: 48 << 10)

/// Properties shown of a test.
private let mostProperties = 200

/// The values for the template `output`; `nil` where a test printed nothing that an input tells.
func outputValues(_ output: String?) -> TemplateValues? {
  guard let output, output.utf8.contains(where: { $0 > 0x20 }) else { return nil }
  let (first, last) = shownOfOutput
  let isCut = output.utf8.count > first + last
  let start = isCut ? String(decoding: output.utf8.prefix(first), as: UTF8.self) : output
  return [
    "size": sizeText(output.utf8.count), "text": start,
    "omitted": isCut ? "… \(sizeText(output.utf8.count - first - last)) left out …" : nil,
    "end": isCut ? String(decoding: output.utf8.suffix(last), as: UTF8.self) : nil,
  ]
}

/// The values for the template `properties`; `nil` for a test without any.
func propertyValues(_ properties: [TestProperty]) -> TemplateValues? {
  guard !properties.isEmpty else { return nil }
  let rest = properties.count - mostProperties
  return [
    "title": counted(properties.count, "property", "properties"),
    "list": properties.prefix(mostProperties).map { property in
      [
        "name": visibleOnOneLine(shortened(property.name, to: 200)),
        "value": shortened(property.value, to: 2000),
      ] as TemplateValues
    },
    "omitted": rest > 0 ? "\(counted(rest, "more property", "more properties")) not shown." : nil,
  ]
}

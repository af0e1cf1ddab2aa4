import ReportModel

private let shownOfOutput = (first: 16 << 10, last: 48 << 10)

private let mostProperties = 200

/// Values for template `output`; `nil` for an empty one.
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

/// Values for template `properties`, if any.
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

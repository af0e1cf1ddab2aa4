import ReportModel

/// Values for template `diff`.
///
/// - Parameter operands: Labels for one-line values.
func diffValues(
  _ difference: FailureMessage.Difference, lines: [DiffLine], _ operands: NamedOperands? = nil
) -> TemplateValues {
  let isPair = operands != nil && lines.count == 2 && lines[0].kind == .removed && lines[1].kind == .added
  return [
    "isPair": isPair,
    "left": visibleOnOneLine(shortened(difference.leftLabel, to: 80)),
    "right": visibleOnOneLine(shortened(difference.rightLabel, to: 80)),
    "lines": zip(lines, [operands?.left, operands?.right] + lines.dropFirst(2).map { _ in nil }).map {
      line, side in
      lineValues(line, isPair ? side : nil)
    },
    "isEqual": difference.lines.allSatisfy { $0.kind == .same },
  ]
}

/// Values for template `diff` with a word behind each line.
func diffValues(_ lines: [DiffLine], roles: [String]) -> TemplateValues {
  [
    "isPair": true, "left": nil, "right": nil, "isEqual": false,
    "lines": zip(lines, roles).map { line, role in
      lineValues(line, NamedOperands.Side(name: "", role: role))
    },
  ]
}

private func lineValues(_ line: DiffLine, _ side: NamedOperands.Side?) -> TemplateValues {
  let spans: [TemplateValues] = line.spans.map { ["text": $0.text, "isChanged": $0.isChanged] }
  return [
    "isSame": line.kind == .same, "isRemoved": line.kind == .removed, "isAdded": line.kind == .added,
    "omitted": line.kind == .omitted ? line.text : nil, "spans": spans,
    "operand": side.map { visibleOnOneLine(shortened($0.name, to: 120)) }.flatMap { $0.isEmpty ? nil : $0 },
    "role": side?.role,
  ]
}

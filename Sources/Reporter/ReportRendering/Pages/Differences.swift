import ReportModel

/// What the template `diff` asks for.
///
/// - Parameter operands: Stand beside values of one line each.
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

/// The first changed lines, for where there is little room.
func leadingChanges(_ lines: [DiffLine]) -> [DiffLine] {
  let changes = lines.filter { $0.kind == .removed || $0.kind == .added }
  let shown = changes.prefix(mostLeadingChanges).map(shortened)
  let rest = changes.count - shown.count
  return shown + (rest > 0 ? [DiffLine(.omitted, counted(rest, "more changed line"))] : [])
}

private let mostLeadingChanges = 6

/// The difference with what surrounds it, as far as it is short enough to be seen whole.
func leadingLines(_ lines: [DiffLine]) -> [DiffLine] {
  guard lines.count > mostLeadingLines else { return lines.map(shortened) }
  let rest = lines.count - mostLeadingLines
  return lines.prefix(mostLeadingLines).map(shortened) + [DiffLine(.omitted, counted(rest, "more line"))]
}

private let mostLeadingLines = 40

/// Unicode scalars of a line.
private let longestLeadingChange = 240

private func shortened(_ line: DiffLine) -> DiffLine {
  var room = longestLeadingChange
  var spans: [DiffLine.Span] = []
  for span in line.spans where room > 0 {
    spans.append(DiffLine.Span(text: shortened(span.text, to: room), isChanged: span.isChanged))
    room -= span.text.unicodeScalars.count
  }
  return DiffLine(line.kind, spans: spans)
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

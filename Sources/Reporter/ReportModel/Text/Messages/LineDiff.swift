/// The difference of two texts by lines, with changed words marked; `nil` for too long texts.
package func lineDiff(from old: String, to new: String) -> [DiffLine]? {
  let (oldLines, newLines) = (textLines(of: old).map(String.init), textLines(of: new).map(String.init))
  guard max(oldLines.count, newLines.count) <= mostLines else { return nil }
  return leavingOutEqualLines(markingWords(in: merged(oldLines, newLines)))
}

/// Time grows with lines times changes.
private let mostLines = 2000

private let context = 3

private func merged(_ old: [String], _ new: [String]) -> [DiffLine] {
  let (removed, added) = changedOffsets(from: old, to: new)
  var lines: [DiffLine] = []
  var (oldIndex, newIndex) = (0, 0)
  while oldIndex < old.count || newIndex < new.count {
    if removed.contains(oldIndex) {
      lines.append(DiffLine(.removed, old[oldIndex]))
      oldIndex += 1
    } else if added.contains(newIndex) {
      lines.append(DiffLine(.added, new[newIndex]))
      newIndex += 1
    } else {
      lines.append(DiffLine(.same, new[newIndex]))
      oldIndex += 1
      newIndex += 1
    }
  }
  return lines
}

func changedOffsets<Element: Equatable>(from old: [Element], to new: [Element]) -> (
  removed: Set<Int>, added: Set<Int>
) {
  var (removed, added): (Set<Int>, Set<Int>) = ([], [])
  for change in new.difference(from: old) {
    switch change {
    case .remove(let offset, _, _): removed.insert(offset)
    case .insert(let offset, _, _): added.insert(offset)
    }
  }
  return (removed, added)
}

private func leavingOutEqualLines(_ lines: [DiffLine]) -> [DiffLine] {
  let changes = lines.indices.filter { lines[$0].kind != .same }
  guard !changes.isEmpty else { return lines }
  let shown = Set(changes.flatMap { max(0, $0 - context)...min(lines.count - 1, $0 + context) })
  var result: [DiffLine] = []
  var hidden: [DiffLine] = []
  func flush() {
    result += hidden.count > 1 ? [DiffLine(.omitted, counted(hidden.count, "equal line"))] : hidden
    hidden = []
  }
  for (index, line) in lines.enumerated() {
    if shown.contains(index) {
      flush()
      result.append(line)
    } else {
      hidden.append(line)
    }
  }
  flush()
  return result
}

import ReportModel

/// Truncates Markdown at a line, closes open blocks, and adds a note; short text stays.
func fittedMarkdown(_ text: String, to limit: Int) -> String {
  guard text.utf8.count > limit else { return text }
  let note = "\n… cut to \(grouped(limit)) bytes: see `index.html`.\n"
  var fitted = ""
  var open = OpenMarkdown()
  for line in textLines(of: text) {
    var after = open
    after.read(line)
    guard fitted.utf8.count + line.utf8.count + 1 + after.closing.utf8.count + note.utf8.count <= limit else {
      break
    }
    fitted += line + "\n"
    open = after
  }
  let whole = fitted + open.closing + note
  return whole.utf8.count <= limit ? whole : ""
}

private struct OpenMarkdown {
  private var fence: Substring?
  private var details = 0

  mutating func read(_ line: Substring) {
    let ticks = line.prefix { $0 == "`" }
    if let fence {
      if line == fence { self.fence = nil }
    } else if ticks.count >= 3, !line.dropFirst(ticks.count).contains("`") {
      fence = ticks
    } else if line == "<details>" || line == "<details open>" {
      details += 1
    } else if line == "</details>" {
      details -= 1
    }
  }

  var closing: String {
    (fence.map { "\($0)\n" } ?? "") + String(repeating: "\n</details>\n", count: max(0, details))
  }
}

import ReportModel

/// Collapses many findings of one kind and origin behind one that counts them.
///
/// - Parameters:
///   - elements: Holders of findings, in order.
///   - gathered: Makes the element that counts others.
package func gatheringMany<Element>(
  _ elements: [Element], _ finding: WritableKeyPath<Element, Finding>,
  _ gathered: (Finding, [Element]) -> Element
) -> [Element] {
  var all: [Element] = []
  var start = 0
  while start < elements.count {
    let first = elements[start][keyPath: finding]
    let alike = elements[start...].prefix { $0[keyPath: finding].rank == first.rank }
    start += alike.count
    guard !first.isFolded, alike.count > Finding.mostOfAKind + 1 else {
      all += alike
      continue
    }
    var rest = Array(alike.dropFirst(Finding.mostOfAKind))
    for index in rest.indices { rest[index][keyPath: finding].isOneOfMany = true }
    all += alike.prefix(Finding.mostOfAKind)
    all.append(gathered(Finding(gathering: rest.map { $0[keyPath: finding] }, like: first), rest))
    all += rest
  }
  return all
}

extension DatabaseFindings {
  package var gathered: DatabaseFindings {
    var gathered = self
    gathered.findings = gatheringMany(findings, \.self) { finding, _ in finding }
    return gathered
  }
}

extension Finding {
  /// More findings of a kind and origin are gathered.
  static let mostOfAKind = 5

  fileprivate init(gathering findings: [Finding], like first: Finding) {
    self.init(
      kind: first.kind, weight: first.weight, detail: "many", sentence: "", remedy: "", origin: first.origin)
    gathers = findings.count
    hasMore = findings.contains(where: \.hasMore)
    let counts = findings.compactMap(\.count)
    count = counts.isEmpty ? nil : counts.reduce(0, +)
    let tables = counted(Set(findings.compactMap(\.table)).count, "table")
    if kind == .brokenForeignKey {
      let rows = (hasMore ? "at least " : "") + counted(count ?? 0, "row")
      let isOfCoreData = findings.allSatisfy { $0.remedy.hasPrefix("Core Data") }
      sentence =
        "\(counted(findings.count, isOfCoreData ? "more relationship" : "more foreign key")) of \(tables) refer to no row, in \(rows)."
      remedy =
        isOfCoreData
        ? "So many often have one cause: look for a table that was emptied by SQL, and for a batch delete."
        : "So many often have one cause: look for a connection without PRAGMA foreign_keys = ON, which SQLite has off by default, and for a table that was emptied."
    } else {
      sentence = "\(counted(findings.count, "more finding")) of this kind, in \(tables)."
      remedy = "So many often have one cause: look at the first of them."
    }
  }
}

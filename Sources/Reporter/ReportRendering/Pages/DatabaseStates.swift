import ReportInspection
import ReportModel

/// Values for template `states`: a database before and after, side by side.
///
/// - Parameter source: The original path, if any.
func databaseStatesValues(
  from before: DatabaseInspection, to after: DatabaseInspection, of source: String?
) -> TemplateValues {
  let names =
    after.tables.map(\.name)
    + before.tables.map(\.name).filter { name in
      !after.tables.contains { $0.name == name }
    }
  let schema = schemaValues(from: before, to: after)
  let tables = names.compactMap { name in
    tableChange(name, before.tables.first { $0.name == name }, after.tables.first { $0.name == name })
  }
  return [
    "version": before.userVersion == after.userVersion
      ? nil : "user_version \(before.userVersion) → \(after.userVersion)",
    "tables": tables, "hasTables": !tables.isEmpty,
    "unchanged": names.count > tables.count
      ? "\(counted(names.count - tables.count, "table")) with as many rows and the same schema as before."
      : nil,
    "schema": schema.isEmpty
      ? nil : ["title": "Schema before and after", "list": schema] as TemplateValues,
    "isSameSchema": schema.isEmpty,
    "database": databaseValues(before, of: source),
  ]
}

/// - Returns: `nil` for equal schema and count.
private func tableChange(
  _ name: String, _ before: DatabaseInspection.Table?, _ after: DatabaseInspection.Table?
) -> TemplateValues? {
  let state: String? =
    switch (before, after) {
    case (nil, _?): "new"
    case (_?, nil): "gone"
    case (let before?, let after?):
      before.sql == after.sql && before.withheld == after.withheld ? nil : "schema changed"
    case (nil, nil): nil
    }
  guard state != nil || before?.rowCount != after?.rowCount || after?.rowCount == nil else { return nil }
  return [
    "name": visibleOnOneLine(name), "state": state, "before": countText(before), "after": countText(after),
    "difference": differenceText(before?.rowCount, after?.rowCount),
  ]
}

private func countText(_ table: DatabaseInspection.Table?) -> String {
  guard let table else { return "–" }
  return table.rowCount.map(grouped) ?? "not counted"
}

private func differenceText(_ before: Int?, _ after: Int?) -> String? {
  guard let before, let after, before != after else { return nil }
  return after > before ? "+\(grouped(after - before))" : "−\(grouped(before - after))"
}

private func schemaValues(
  from before: DatabaseInspection, to after: DatabaseInspection
) -> [TemplateValues] {
  schemaChanges(from: before.objects, to: after.objects).compactMap { change in
    guard let lines = change.difference else { return nil }
    let difference = FailureMessage.Difference(
      headline: "", leftLabel: "before", rightLabel: "after", lines: lines)
    return ["name": visibleOnOneLine(change.name), "diff": diffValues(difference, lines: lines)]
  }
}

extension SchemaChange {
  /// The diff of a statement; new and dropped ones have only one side.
  ///
  /// - Returns: `nil` if too long.
  var difference: [DiffLine]? {
    guard let before, !before.isEmpty else {
      return textLines(of: after ?? "").map { DiffLine(.added, String($0)) }
    }
    guard let after, !after.isEmpty else {
      return textLines(of: before).map { DiffLine(.removed, String($0)) }
    }
    return lineDiff(from: before, to: after)
  }
}

struct Exclusions: Sendable, Equatable {
  var tables: Set<String> = []
  var files: [String] = []

  mutating func formUnion(_ other: Exclusions) {
    tables.formUnion(other.tables)
    files.append(contentsOf: other.files.filter { !files.contains($0) })
  }
}

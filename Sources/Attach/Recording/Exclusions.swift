/// The tables and files that are kept out of the evidence.
struct Exclusions: Sendable, Equatable {
  var tables: Set<String> = []
  /// Patterns of names; `*` stands for any characters.
  var files: [String] = []

  mutating func formUnion(_ other: Exclusions) {
    tables.formUnion(other.tables)
    files.append(contentsOf: other.files.filter { !files.contains($0) })
  }
}

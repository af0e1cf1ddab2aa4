/// What a suite keeps out of its evidence.
struct Exclusions: Sendable, Equatable {
  var tables: Set<String> = []
  /// Names, in which `*` stands for any characters.
  var files: [String] = []

  mutating func formUnion(_ other: Exclusions) {
    tables.formUnion(other.tables)
    files.append(contentsOf: other.files.filter { !files.contains($0) })
  }
}

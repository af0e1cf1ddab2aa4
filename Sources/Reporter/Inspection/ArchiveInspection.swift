/// The contents of a captured directory's archive.
struct ArchiveInspection: Sendable, Equatable {
  var entries: [Entry]
  /// How many more there are than `entries` holds.
  var omitted: Int
  var problems: [String]

  struct Entry: Sendable, Equatable {
    enum Kind: String, Sendable {
      case file, directory, link, other
    }

    var path: String
    var kind: Kind
    var bytes: Int
    /// Where a link points.
    var target: String?
  }
}

import ExhibitCSystem

/// What a captured archive holds: of a zip its directory is read, a tar is unpacked up to a limit and not kept.
package struct ArchiveListing: Sendable, Equatable {
  package enum Kind: String, Sendable {
    case file, directory, link, other
  }

  package struct Entry: Sendable, Equatable {
    /// As the archive says, which may be any text: it is shown, never written to.
    package var path: String
    package var kind: Kind
    /// Unpacked.
    package var bytes: Int
    /// Where a link points.
    package var target: String?
  }

  /// How much of a hostile archive is read.
  package struct Limits: Sendable {
    package var entries: Int
    package var nameBytes: Int
    package var archiveBytes: Int
    /// Of a tar, which cannot be listed without unpacking it.
    package var unpackedBytes: Int

    package init(
      entries: Int = 10_000, nameBytes: Int = 4096, archiveBytes: Int = 2 << 30, unpackedBytes: Int = 4 << 30
    ) {
      self.unpackedBytes = unpackedBytes
      self.entries = entries
      self.nameBytes = nameBytes
      self.archiveBytes = archiveBytes
    }
  }

  /// In the order of the archive.
  package var entries: [Entry] = []
  /// How many more there are than `entries` holds; those are counted up to ten times the limit.
  package var omitted = 0
  /// What could not be read, in sentences for the reader.
  package var problems: [String] = []

  /// Lists the zip or tar.zst at `path`.
  ///
  /// - Throws: `ArchiveError` or `SystemError` when it is none or cannot be opened.
  package init(path: String, limits: Limits = Limits()) throws {
    let reader = try ArchiveReader(path: path, limits: limits)
    // Names in a zip are UTF-8, which libarchive converts to the locale of the thread.
    let locale = exhibit_locale_use_utf8()
    defer { exhibit_locale_restore(locale) }
    do {
      var unpacked = 0
      while let entry = try reader.next() {
        // An archive can give any size: the sum of two may be none.
        let bytes = reader.isPacked ? entry.bytes : 0
        guard bytes <= limits.unpackedBytes - unpacked else {
          problems.append("The archive holds so many bytes that the rest was not listed.")
          break
        }
        unpacked += bytes
        if entries.count < limits.entries { entries.append(entry) } else { omitted += 1 }
        if omitted >= limits.entries * 9 {
          problems.append("The archive has so many entries that the rest was not counted.")
          break
        }
      }
    } catch let error as ArchiveError {
      problems.append(error.message)
    }
    if reader.unreadableNames > 0 {
      problems.append("\(reader.unreadableNames) names are not readable as UTF-8.")
    }
  }
}

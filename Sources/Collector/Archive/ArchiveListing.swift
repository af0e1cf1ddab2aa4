import ExhibitCSystem

/// An archive's entries; a tar is unpacked up to a limit for them.
package struct ArchiveListing: Sendable, Equatable {
  package enum Kind: String, Sendable {
    case file, directory, link, other
  }

  package struct Entry: Sendable, Equatable {
    /// Never used as a path.
    package var path: String
    package var kind: Kind
    package var bytes: Int
    package var target: String?
  }

  package struct Limits: Sendable {
    package var entries: Int
    package var nameBytes: Int
    package var archiveBytes: Int
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

  package var entries: [Entry] = []
  /// Counting stops at ten times the limit.
  package var omitted = 0
  package var problems: [String] = []
}

extension ArchiveListing {
  package init(problem: String) { problems = [problem] }

  /// - Throws: `ArchiveError` or `SystemError` for no readable zip or tar.zst.
  package init(path: String, limits: Limits = Limits()) throws {
    let reader = try ArchiveReader(path: path, limits: limits)
    // libarchive converts a zip's UTF-8 names to the thread's locale.
    let locale = exhibit_locale_use_utf8()
    defer { exhibit_locale_restore(locale) }
    do {
      var unpacked = 0
      while let entry = try reader.next() {
        // A claimed size can be any number, so a sum may overflow.
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

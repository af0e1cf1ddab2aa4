import ExhibitCSystem

/// Lists a captured archive: it reads a zip's directory, and unpacks a tar up to a limit without keeping it.
package struct ArchiveListing: Sendable, Equatable {
  package enum Kind: String, Sendable {
    case file, directory, link, other
  }

  package struct Entry: Sendable, Equatable {
    /// The path in the archive, which may be any text: it is shown, never written to.
    package var path: String
    package var kind: Kind
    /// Bytes when unpacked.
    package var bytes: Int
    /// The target of a link.
    package var target: String?
  }

  /// Limits what is read of a hostile archive.
  package struct Limits: Sendable {
    package var entries: Int
    package var nameBytes: Int
    package var archiveBytes: Int
    /// Bytes of a tar, which cannot be listed without unpacking it.
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

  /// Entries in the order of the archive.
  package var entries: [Entry] = []
  /// The number of entries that `entries` leaves out; counting stops at ten times the limit.
  package var omitted = 0
  /// Sentences for the reader on what could not be read.
  package var problems: [String] = []
}

extension ArchiveListing {
  /// The listing of an archive of which nothing can be read.
  package init(problem: String) { problems = [problem] }

  /// Lists the zip or tar.zst at `path`.
  ///
  /// - Throws: `ArchiveError` or `SystemError` when it is neither or cannot be opened.
  package init(path: String, limits: Limits = Limits()) throws {
    let reader = try ArchiveReader(path: path, limits: limits)
    // Names in a zip are UTF-8, which libarchive converts to the thread's locale.
    let locale = exhibit_locale_use_utf8()
    defer { exhibit_locale_restore(locale) }
    do {
      var unpacked = 0
      while let entry = try reader.next() {
        // An archive can claim any size, so the sum of two may overflow.
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

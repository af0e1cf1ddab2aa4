/// The places of addresses, by the files that have them.
package struct CodePlaces: Sendable, Equatable {
  /// The places of one file.
  package struct File: Sendable, Equatable {
    package var code: CodeFile
    /// A sentence that says which names or lines there are not, and why.
    package var problem: String?
    /// By offset: the functions that were inlined into each other there, innermost first; none for code that the
    /// compiler made.
    package var places: [UInt64: [Place]] = [:]
  }

  private var byCode: [CodeFile: File]

  package init(_ files: [File] = []) {
    byCode = Dictionary(files.map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Adds the places of other files, and of the same files those of other addresses.
  package mutating func add(_ other: CodePlaces) {
    byCode.merge(other.byCode) { known, new in
      var file = known
      file.places.merge(new.places) { first, _ in first }
      return file
    }
  }

  /// In an order that is the same for the same files.
  package var files: [File] {
    func order(_ code: CodeFile) -> (String, Int, Int, String) {
      (code.path, code.size, code.changedAt, code.buildID ?? "")
    }
    return byCode.values.sorted { order($0.code) < order($1.code) }
  }

  /// The places of one file.
  package subscript(code: CodeFile) -> File? { byCode[code] }

  /// The functions that were inlined into each other at an address, innermost first; `nil` for one without names.
  package subscript(address: CodeAddress) -> [Place]? { byCode[address.file]?.places[address.offset] }
}

/// Source places of addresses, by file.
package struct CodePlaces: Sendable, Equatable {
  package struct File: Sendable, Equatable {
    package var code: CodeFile
    /// A sentence on missing names or lines.
    package var problem: String?
    /// Places by offset, inlined functions first; empty for compiler-generated code.
    package var places: [UInt64: [Place]] = [:]
  }

  private var byCode: [CodeFile: File]

  package init(_ files: [File] = []) {
    byCode = Dictionary(files.map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })
  }

  package mutating func add(_ other: CodePlaces) {
    byCode.merge(other.byCode) { known, new in
      var file = known
      file.places.merge(new.places) { first, _ in first }
      return file
    }
  }

  /// Sorted.
  package var files: [File] {
    func order(_ code: CodeFile) -> (String, Int, Int, String) {
      (code.path, code.size, code.changedAt, code.buildID ?? "")
    }
    return byCode.values.sorted { order($0.code) < order($1.code) }
  }

  package subscript(code: CodeFile) -> File? { byCode[code] }

  /// The places of an address, innermost first; `nil` when unknown.
  package subscript(address: CodeAddress) -> [Place]? { byCode[address.file]?.places[address.offset] }
}

package import Collector
package import ExhibitSystem
package import ReportModel

/// `places.json`, which keeps source places of a run for reports made elsewhere.
package enum PlacesFile: RunFile {
  package static let name = "places.json"
  package static let loss = "where in the code the steps of this run were made is not known."

  private static let (mostFiles, mostAddresses, mostInlined) = (10_000, 1_000_000, 1000)

  // MARK: - Writing

  /// Replaces the file in a run's folder atomically.
  ///
  /// - Throws: `SystemError`.
  package static func write(_ places: CodePlaces, to run: RunFolder) throws(SystemError) {
    try write(bytes(of: places), to: run)
  }

  /// Deterministic content, a line for each address.
  package static func bytes(of places: CodePlaces) -> [UInt8] {
    var text = JSONText()
    text.object { text in
      text.member("format", ArtifactsFormat.current)
      text.array("files") { text in
        for file in places.files {
          text.startLine()
          text.object { write(file, to: &$0) }
        }
        text.endLine()
      }
    }
    text.endLine()
    return text.withBytes { Array($0) }
  }

  private static func write(_ file: CodePlaces.File, to text: inout JSONText) {
    text.member("path", file.code.path)
    text.member("size", file.code.size)
    text.member("changedAt", file.code.changedAt)
    text.member("buildID", file.code.buildID)
    text.member("problem", file.problem)
    text.object("frames") { text in
      for (offset, places) in file.places.sorted(by: { $0.key < $1.key }) {
        text.startLine()
        text.open(member: String(offset, radix: 16), UInt8(ascii: "["))
        for place in places { text.object { write(place, to: &$0) } }
        text.close(UInt8(ascii: "]"))
      }
    }
  }

  private static func write(_ place: Place, to text: inout JSONText) {
    text.member("symbol", place.symbol)
    text.member("module", place.name.module)
    text.member("function", place.name.function)
    text.member("closure", place.name.isClosure ? true : nil)
    text.member("enclosing", place.name.enclosing)
    text.member("overload", place.name.overload != 0 ? place.name.overload : nil)
    text.member("file", place.file)
    text.member("line", place.line)
  }

  // MARK: - Reading

  /// Reads the file of an untrusted run.
  package static func read(of run: RunFolder) throws(ReadingError) -> CodePlaces {
    try read(contents(of: run))
  }

  package static func read(_ bytes: [UInt8]) throws(ReadingError) -> CodePlaces {
    try read(bytes) { (value) throws(ReadingError) in
      guard let files = value["files"]?.array else { throw .damaged }
      guard files.count <= mostFiles else { throw .tooLarge }
      var room = mostAddresses
      var read: [CodePlaces.File] = []
      for file in files { read.append(try self.file(file, &room)) }
      return CodePlaces(read)
    }
  }

  private static func file(_ value: JSONValue, _ room: inout Int) throws(ReadingError) -> CodePlaces.File {
    guard let path = value["path"]?.string, let size = value["size"]?.integer,
      let changedAt = value["changedAt"]?.integer, case .object(let frames)? = value["frames"]
    else { throw .damaged }
    let code = CodeFile(path: path, size: size, changedAt: changedAt, buildID: value["buildID"]?.string)
    room -= frames.count
    guard room >= 0 else { throw .tooLarge }
    var file = CodePlaces.File(code: code, problem: value["problem"]?.string)
    for frame in frames {
      guard let offset = UInt64(frame.key, radix: 16), let inlined = frame.value.array else { throw .damaged }
      guard inlined.count <= mostInlined else { throw .tooLarge }
      file.places[offset] = try inlined.map(place)
    }
    return file
  }

  private static func place(_ value: JSONValue) throws(ReadingError) -> Place {
    guard let symbol = value["symbol"]?.string, let function = value["function"]?.string, !function.isEmpty
    else { throw .damaged }
    let name = PlaceName(
      module: value["module"]?.string, function: function, isClosure: value["closure"]?.bool ?? false,
      enclosing: value["enclosing"]?.string, overload: value["overload"]?.integer ?? 0)
    // Only paths below the source root are accepted.
    let file = value["file"]?.string.flatMap { isBelow($0) ? $0 : nil }
    let line = value["line"]?.integer.flatMap { file != nil && (1...Int(Int32.max)).contains($0) ? $0 : nil }
    return Place(symbol: symbol, name: name, file: file, line: line)
  }

  private static func isBelow(_ path: String) -> Bool {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    return parts.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." } && !path.utf8.contains(0)
  }
}

import Collector
import ReportModel

/// `report.html`, the report in a single file within a size limit.
///
/// Failures come first, page then evidence; omitted parts are named in place. Browsers show one part at a time even
/// without scripts; others show all in sequence.
package struct SingleFile {
  package static let path = "report.html"

  private let context: PageContext
  private let templates: TemplateLibrary
  private let limit: Int
  private let source: EmbeddedFiles.Source
  /// Databases whose rows are embedded; `nil` for first rows only.
  private let rows: RowPlan?

  package init(
    context: PageContext, templates: TemplateLibrary, limit: Int, source: @escaping EmbeddedFiles.Source,
    rows: RowPlan? = nil
  ) {
    (self.context, self.templates, self.limit) = (context, templates, limit)
    (self.source, self.rows) = (source, rows)
  }

  package func write(_ take: ([UInt8]) throws -> Void) throws {
    var room = limit - templates.script.utf8.count - templates.styleSheet.utf8.count
    while true {
      var pieces: [[UInt8]] = []
      try write(room: room) { pieces.append($0) }
      // The frame's size depends on its content, so write again with less room.
      let excess = pieces.reduce(-limit) { $0 + $1.count }
      guard excess > 0, room > 0 else { return try pieces.forEach(take) }
      room -= excess
    }
  }

  /// - Parameter room: Bytes for the report's own content.
  private func write(room: Int, _ take: ([UInt8]) throws -> Void) throws {
    var (context, room) = (context, room)
    context.single = SingleFileParts(evidence: [:], anchors: anchors())
    let data = testData(in: context, &room)
    let rows = try rows.map { try EmbeddedRows($0, of: tests(), in: self.context, budget: max(0, room / 3)) }
    context.single?.rowIDs = rows?.ids ?? [:]
    context.single?.marked = rows?.marked ?? []
    room -= rows?.bytes ?? 0
    // Rows can contain images.
    var showsImages = rows != nil
    let parts = try parts(&context, &room, &showsImages)
    var values = indexValues(in: context)
    let images: TemplateValues = ["areFiles": false, "areData": true]
    values.set("images", to: showsImages ? images : nil)
    values.set("leftOut", to: leftOut(parts.count, hasData: data != nil))
    try writeAround(values, parts, data ?? [], rows?.files ?? [], take)
  }

  // MARK: - What goes in

  private var listed: ArraySlice<TestResult> { context.failures.prefix(failuresOnAPage) }

  private func tests() -> [TestResult] { listed + context.others }

  private func anchors() -> [TestCaseID: String] {
    let ids = tests().map(\.id).enumerated().map { ($1, "t-\($0 + 1)") }
    return Dictionary(ids, uniquingKeysWith: { first, _ in first })
  }

  /// The list of all tests; `nil` if it would take over half the room.
  private func testData(in context: PageContext, _ room: inout Int) -> [[UInt8]]? {
    var files: [[UInt8]] = []
    var size = 0
    let tests = context.contents.report.tests
    for number in 0..<partCount(tests.count, of: testsInADataFile) {
      files.append(ReportRendering.testData(number, in: context))
      size += files.last?.count ?? 0
      guard size <= room / 2 else { return nil }
    }
    room -= size
    return files
  }

  private func parts(
    _ context: inout PageContext, _ room: inout Int, _ showsImages: inout Bool
  ) throws -> [[UInt8]] {
    let failures = Array(listed)
    let tests = tests()
    var parts: [[UInt8]] = []
    for (index, test) in tests.enumerated() {
      context.single?.evidence =
        EmbeddedFiles(of: test.evidence, budget: max(0, room / 2), from: source).references
      let neighbours = index < failures.count ? FailureNeighbours(position: index, failures: failures) : nil
      let values = testPageValues(test, neighbours, in: context)
      let part = try templates.render(values, with: "test")
      guard part.count <= room else {
        for test in tests[index...] { context.single?.anchors[test.id] = nil }
        break
      }
      room -= part.count
      if imageSources(of: test, in: context) != nil { showsImages = true }
      // Used by its own part only.
      context.single?.evidence = [:]
      parts.append(part)
    }
    return parts
  }

  private func leftOut(_ parts: Int, hasData: Bool) -> String? {
    var sentences: [String] = []
    let behind = context.failures.count - listed.count
    let missing = tests().count - parts
    if behind > 0 { sentences.append("\(counted(behind, "failure")) behind the first \(failuresOnAPage)") }
    if missing > 0 { sentences.append("the details of \(counted(missing, "test"))") }
    if !hasData { sentences.append("the list to search in") }
    guard !sentences.isEmpty else { return nil }
    return "Left out to keep to \(sizeText(limit)): \(sentences.joined(separator: ", ")). "
      + "All is in the report’s folder, beginning at index.html."
  }

  // MARK: - Writing

  /// Writes the page around the parts at the template's marks, which escaped text cannot contain.
  private func writeAround(
    _ values: TemplateValues, _ parts: [[UInt8]], _ data: [[UInt8]], _ rows: [ReportFile],
    _ take: ([UInt8]) throws -> Void
  ) throws {
    var rest = String(decoding: try templates.render(values, with: "index"), as: UTF8.self)[...]
    func takeUpTo(_ mark: String) throws {
      guard let place = rest.places(of: mark).first else { return }
      try take(Array(rest[..<place.lowerBound].utf8))
      rest = rest[place.upperBound...]
    }
    let nonce = "nonce=\"\(htmlEscaped(context.contents.nonce))\""
    try takeUpTo("<!--style-->")
    try take(Array("<style \(nonce)>\n\(templates.styleSheet)\n</style>".utf8))
    try takeUpTo("<!--parts-->")
    for part in parts { try take(part) }
    for (number, json) in data.enumerated() {
      let head = "<script type=\"application/json\" \(nonce) data-tests=\"\(number)\">"
      try take(Array(head.utf8) + json + Array("</script>\n".utf8))
    }
    for file in rows {
      // Their content cannot end a script; a reader runs them with the page's nonce.
      let head = "<script type=\"text/plain\" \(nonce) data-file=\"\(htmlEscaped(file.path))\">"
      try take(Array(head.utf8) + file.contents + Array("</script>\n".utf8))
    }
    try takeUpTo("<!--script-->")
    try take(Array("<script \(nonce)>\n\(templates.script)\n</script>".utf8))
    try take(Array(rest.utf8))
  }
}

/// A test's evidence embedded within a budget.
package struct EmbeddedFiles {
  /// Reads a file; `nil` if it is unreadable or too large.
  package typealias Source = (_ path: String, _ limit: Int) -> [UInt8]?

  private(set) var references: [String: String] = [:]
  private var budget: Int
  private let source: Source

  /// Embeds captured evidence before baselines and raw files.
  init(of evidence: [TestEvidence], budget: Int, from source: @escaping Source) {
    self.budget = budget
    self.source = source
    for item in evidence { embed(item.path, times: item.imagePath == nil ? 1 : Self.placesOfImages) }
    for item in evidence {
      embed(item.baseline)
      for file in item.rawFiles { embed(file.path) }
    }
  }

  /// An image is linked, shown, and used in a difference.
  private static let placesOfImages = 3

  private mutating func embed(_ path: String?, times: Int = 1) {
    guard let path, references[path] == nil, let bytes = source(path, budget / times / 4 * 3) else { return }
    let reference = "data:\(imageType(of: path) ?? "application/octet-stream");base64," + base64(bytes)
    guard reference.utf8.count * times < budget else { return }
    budget -= reference.utf8.count * times
    references[path] = reference
  }
}

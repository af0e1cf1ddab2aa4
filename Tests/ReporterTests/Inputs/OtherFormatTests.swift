import Collector
import Foundation
import Testing

@testable import ReportTestSupport

/// A run of another version of the format: a later minor one is read, and no other turns anything green.
@Suite struct OtherFormatTests {
  private let folder: TemporaryFolder
  private static let run = "artifacts/runs/r"

  init() throws { folder = try TemporaryFolder() }

  /// Writes a run whose one test passed.
  ///
  /// - Parameter format: The member of the first lines with the version.
  private func write(_ format: String, odd: String = "") throws {
    try folder.write(#"{\#(format)"run":"r","start":1,"package":"/"}"#, to: "\(Self.run)/run.json")
    var log = try WrittenLog()
    if !odd.isEmpty { log.bytes.append(contentsOf: Data((odd + "\n").utf8)) }
    try log.pass(.store("testPasses"), .xctest)
    try log.end()
    let text = String(decoding: log.bytes, as: UTF8.self)
    try folder.write(
      text.replacing(#""format":"1.4","#, with: format, maxReplacements: 1), to: "\(Self.run)/logs/7-70.jsonl"
    )
  }

  private func report() throws -> (status: Int32, errors: String) {
    let result = try ReporterProcess.run(["report", "artifacts", "--output", "out"], in: folder.path)
    return (result.status, result.errors)
  }

  @Test(arguments: [
    (#""format":"1.3","#, "Format 1.3 is older than 1.4"),
    (#""format":"0.1","#, "Format 0.1 is older than 1.4"),
    (#""format":"2.0","#, "Format 2.0 is newer than 1.4"), (#""format":"new","#, "Its format is no version"),
    ("", "cannot be read"), (#""format":1.4,"#, "cannot be read"),
  ])
  func anotherVersionIsAFaultThatNamesTheFolder(format: String, sentence: String) throws {
    try write(format)
    let (status, errors) = try report()
    #expect(status != 0)
    #expect(errors.contains("runs/r") && errors.contains(sentence), "\(errors)")
    #expect(!folder.files.contains { $0.hasPrefix("out/") && $0.contains("testPasses") })
  }

  @Test func aLaterMinorVersionIsRead() throws {
    try write(
      #""format":"1.9","weather":{"rain":true},"#,
      odd: #"{"kind":"rained","time":1,"payload":{"on":"parade"}}"#)
    let (status, errors) = try report()
    #expect(status == 0, "\(errors)")
  }

  @Test func aLaterMinorVersionThatCannotBeReadWholeSaysSo() throws {
    try write(#""format":"1.9","#, odd: #"{"kind":"issue","time":1,"payload":{"severity":"rain"}}"#)
    let (status, errors) = try report()
    #expect(status == 3)
    #expect(errors.contains("What cannot be read may be new in format 1.9"), "\(errors)")
  }
}

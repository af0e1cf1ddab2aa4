import Collector
import ExhibitSystem
import Foundation
import ReportModel

/// Reads xunit files, even badly escaped ones.
enum XUnitInput {
  /// True for markup with a `<testsuite` in its first 64 KiB, also in UTF-16; the reader checks the root.
  static func recognises(_ bytes: Data) -> Bool {
    let head = String(decoding: bytes.prefix(1 << 16).filter { $0 != 0 }, as: UTF8.self)
    // The rest of a UTF-16 byte order mark.
    let start = head.unicodeScalars.first {
      !$0.properties.isWhitespace && $0 != "\u{FEFF}" && $0 != "\u{FFFD}"
    }
    return start == "<" && head.contains("<testsuite")
  }

  /// - Parameter streamedFailures: Failures in the same invocation's event stream.
  static func read(_ file: LoadedFile, streamedFailures: Int = 0) -> InputTests {
    var input = InputTests(kind: .xunit, name: file.name)
    var repairs: Set<XMLRepair> = []
    let file = XMLEncoding.converted(file, &repairs)
    var observations: [Observation] = []
    observations.reserveCapacity(min(file.bytes.count / 100, 1 << 20))
    let document = XUnitReader.read(file, streamedFailures: streamedFailures) { observations.append($0) }
    input.observations = observations
    input.tellsTestsTwice = document.holdsMore
    input.findNamesInSeveralSuites(document.bounds)
    repairs.formUnion(document.repairs)
    if repairs.contains(.encoding), let encoding = XMLEncoding.declared(in: file.bytes) {
      repairs.remove(.encoding)
      input.noteReplacements(in: encoding)
    }
    input.noteRepairs(repairs)
    input.noteLosses(of: document)
    input.endedProperly = document.isComplete && input.remarks.faults.isEmpty
    // SwiftPM writes one file per framework.
    if document.frameworks.count == 1, let framework = document.frameworks.first ?? nil {
      input.coverage = [framework]
    }
    if document.isComplete { input.remarks.append(document.lacking) }
    return input
  }
}

extension InputTests {
  fileprivate mutating func noteReplacements(in encoding: String) {
    remarks.fault(
      .malformedXML,
      "The XML declares \(encoding), and bytes of it that are not UTF-8 were replaced; "
        + XMLEncoding.conversion(from: encoding, of: name), input: name)
  }

  fileprivate mutating func noteRepairs(_ repairs: Set<XMLRepair>) {
    let words = repairs.map(\.rawValue).sorted().joined(separator: ", ")
    if repairs.contains(.entities) {
      remarks.fault(.malformedXML, "The XML declares entities, which are not read: \(words).", input: name)
    } else if !repairs.isEmpty {
      remarks.notice(
        .repairedXML, "The XML is not well-formed as its writer left it: \(words).", input: name)
    }
  }

  fileprivate mutating func noteLosses(of document: XUnitDocument) {
    let count = "\(document.caseCount) tests were read"
    if !document.isComplete {
      remarks.fault(.truncatedXML, "The XML stops before its end; \(count).", input: name)
    } else if let error = document.error {
      remarks.fault(.malformedXML, "The XML is not well-formed (\(error)); \(count).", input: name)
    }
    for sentence in document.exceeded { remarks.fault(.limitExceeded, sentence, input: name) }
  }
}

extension InputTests {
  fileprivate mutating func findNamesInSeveralSuites(_ bounds: [Int]) {
    guard bounds.count > 2, observations.contains(where: { $0.framework == nil }) else { return }
    var names: Set<TestCaseID> = []
    observations.sortedPlaces.forEachStretch({ observations[$0].id == observations[$1].id }) { same in
      guard same.count > 1, let first = same.min(), let last = same.max() else { return }
      let next = bounds.place { $0 <= first }
      if next < bounds.count, bounds[next] <= last { names.insert(observations[first].id) }
    }
    inSeveralSuites = names
  }
}

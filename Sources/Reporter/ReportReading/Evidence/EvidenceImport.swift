import Collector
import ExhibitSQLite
package import ExhibitSystem
import Glibc
package import ReportModel

/// Copies evidence files into the report folder.
package struct EvidenceImport {
  private let report: String
  private let root: SourceRoot
  private var placed: [FileIdentity: String] = [:]
  private var names = EvidenceNames()

  package init(report: String, root: SourceRoot) {
    self.report = report
    self.root = root
  }

  package mutating func bring(_ test: TestRecord, _ remarks: inout Remarks) throws(SystemError)
    -> [TestEvidence]
  {
    var brought: [TestEvidence] = []
    for evidence in test.observed {
      if let item = try bring(evidence, of: test, &remarks) { brought.append(item) }
    }
    return brought
  }

  private mutating func bring(
    _ evidence: ObservedEvidence, of test: TestRecord, _ remarks: inout Remarks
  ) throws(SystemError) -> TestEvidence? {
    var item = TestEvidence(
      kind: evidence.kind, name: evidence.name, source: evidence.source.map(root.relative),
      details: evidence.details, run: evidence.run)
    switch evidence.content {
    case .failure(let reason): item.failure = reason
    case .file(let path):
      switch Self.open(path) {
      case .success((let file, let kind)):
        if evidence.kind == .file { item.kind = kind }
        if evidence.isFalseDatabase(file, kind) {
          item.kind = kind
          remarks.fault(
            .evidenceUnreadable, "\(test.id): \(evidence.name) was captured as a database and is none."
          )
        }
        item.bytes = file.size
        let sides = item.kind == .database && evidence.details.database == nil ? Self.sides(of: path) : []
        if !sides.isEmpty, placed[file.identity] == nil {
          try placeFolded(file, sides, path, evidence.name, of: test.id, &remarks)
        }
        item.path = try place(file, path, of: test.id)
        if let name = item.path, !sides.isEmpty {
          item.bytes = FileSystem.status(report + "/" + name).map { Int($0.st_size) } ?? item.bytes
        }
        let history = try bringHistory(of: evidence, in: path.folder, test.id, &remarks)
        item.details.database?.history = history?.folder
        item.rawFiles = history?.files ?? []
        item.details.database?.baseline = try bringBaseline(of: evidence, in: path.folder, test.id, &remarks)
      case .failure(let error):
        guard let reason = reason(for: error, path, evidence, test, &remarks) else { return nil }
        item.failure = reason
        item.details.database?.history = nil
        item.details.database?.baseline = nil
      }
    }
    return item
  }

  // MARK: - Files

  private static func open(
    _ path: ContainedPath
  ) -> Result<(file: ContainedFile, kind: EvidenceKind), ContainedFile.OpeningError> {
    ContainedFile.open(path).flatMap { file in
      do throws(SystemError) {
        return .success((file, try file.recognisedKind()))
      } catch {
        return .failure(.unreadable(error))
      }
    }
  }

  private mutating func place(
    _ file: ContainedFile, _ path: ContainedPath, of test: TestCaseID
  ) throws(SystemError) -> String {
    if let path = placed[file.identity] { return path }
    let name = names.name(for: path, of: test)
    try bring(file, to: name)
    placed[file.identity] = name
    return name
  }

  private static func sides(of path: ContainedPath) -> [(side: SideFile, file: ContainedFile)] {
    SideFile.withRows.compactMap { side in
      var beside = path
      beside.path = side.path(beside: path.path)
      // SQLite makes no links.
      guard case .success(let file) = ContainedFile.open(beside), file.size > 0 else { return nil }
      return (side, file)
    }
  }

  private mutating func placeFolded(
    _ file: ContainedFile, _ sides: [(side: SideFile, file: ContainedFile)], _ path: ContainedPath,
    _ evidence: String, of test: TestCaseID, _ remarks: inout Remarks
  ) throws(SystemError) {
    let names = sides.map { $0.side.path(beside: evidence) }.joined(separator: " and ")
    do {
      let scratch = try ScratchFolder(in: report)
      let database = scratch.path + "/database"
      try FileTransfer.bring(file, to: database)
      for (side, file) in sides { try FileTransfer.bring(file, to: side.path(beside: database)) }
      let result = DatabaseCapturer(limits: CaptureLimits(databaseBytes: .max / 8))
        .captureLeft(at: database, named: "folded", into: scratch.path)
      let made = result.files.first { $0.isDatabase && $0.capture.view != .withForeignWAL }
      guard let made else {
        throw result.failures.first ?? CaptureError(.notADatabase, "SQLite reads no database there.")
      }
      if made.capture.wal == .foreign {
        throw CaptureError(.notADatabase, "The WAL is another database's.")
      }
      let folded = ContainedPath(folder: scratch.path, path: made.file)
      guard case .success(let copy) = ContainedFile.open(folded) else {
        throw CaptureError(.missing, "The copy is gone.")
      }
      let name = self.names.name(for: path, of: test)
      try bring(copy, to: name)
      placed[file.identity] = name
    } catch {
      if let error = error as? SystemError, error.code == ENOSPC || error.code == EDQUOT { throw error }
      remarks.fault(
        .evidenceUnreadable,
        "\(test): \(evidence) is shown without \(names), which cannot be read with it: \(error)")
    }
  }

  private func bring(_ file: ContainedFile, to name: String) throws(SystemError) {
    let path = report + "/" + name
    if let folder = FileSystem.parentFolder(of: path) { try FileSystem.createFolder(folder) }
    try FileTransfer.bring(file, to: path)
  }

  private mutating func bringHistory(
    of evidence: ObservedEvidence, in folder: String, _ test: TestCaseID, _ remarks: inout Remarks
  ) throws(SystemError) -> (folder: String, files: [RawFile])? {
    guard let history = evidence.details.database?.history else { return nil }
    let owner = "\(test): the history of \(evidence.name)"
    let entries: [String]
    do throws(ContainedFile.OpeningError) {
      entries = try ContainedFile.entries(of: ContainedPath(folder: folder, path: history)).sorted()
    } catch {
      note(error, owner: owner, &remarks)
      return nil
    }
    if entries.isEmpty { remarks.fault(.evidenceMissing, "\(owner) is empty.") }
    let name = names.name(for: ContainedPath(folder: folder, path: history), of: test)
    var files: [RawFile] = []
    for entry in entries {
      switch ContainedFile.open(ContainedPath(folder: folder, path: "\(history)/\(entry)")) {
      case .success(let file):
        let path = "\(name)/\(SafeName(entry, keepsExtension: true))"
        try bring(file, to: path)
        files.append(RawFile(path: path, bytes: file.size))
      case .failure(let error): note(error, owner: "\(owner), \(entry),", &remarks)
      }
    }
    return files.isEmpty ? nil : (name, files)
  }

  private func note(_ error: ContainedFile.OpeningError, owner: String, _ remarks: inout Remarks) {
    switch error {
    case .missing: remarks.fault(.evidenceMissing, "\(owner) is not there.")
    case .outside:
      remarks.fault(.evidenceOutside, "\(owner) is named by a path that is not one of its folder.")
    case .unreadable(let error):
      remarks.fault(.evidenceUnreadable, "\(owner) cannot be read: \(error.reason).")
    }
  }

  /// Copies what the test started from, and returns its path in the report.
  private mutating func bringBaseline(
    of evidence: ObservedEvidence, in folder: String, _ test: TestCaseID, _ remarks: inout Remarks
  ) throws(SystemError) -> String? {
    guard let baseline = evidence.details.database?.baseline else { return nil }
    let path = ContainedPath(folder: folder, path: baseline)
    guard case .success((let file, .database)) = Self.open(path) else {
      remarks.fault(
        .evidenceMissing,
        "\(test): the state that the test started from, of \(evidence.name), cannot be read.")
      return nil
    }
    return try place(file, path, of: test)
  }

  // MARK: - What is not there

  private func missing(
    _ evidence: ObservedEvidence, _ owner: String, _ remarks: inout Remarks
  ) -> String {
    let words =
      switch evidence.origin {
      case .captured: "was captured, but its file is not there."
      case .attached: "was attached, but its file is not there."
      case .printed: "is what the test printed as the name of an attachment; there is no such file."
      }
    remarks.fault(.evidenceMissing, "\(owner) \(words)")
    return evidence.origin == .printed
      ? "The test printed this name; there is no such file." : "Its file is missing."
  }

  private func reason(
    for error: ContainedFile.OpeningError, _ path: ContainedPath, _ evidence: ObservedEvidence,
    _ test: TestRecord, _ remarks: inout Remarks
  ) -> String? {
    let owner = "\(test.id): \(evidence.name)"
    switch error {
    case .missing where evidence.mayBeDropped:
      return test.outcome.isFailure
        ? "It was dropped when the test's code had passed; the test failed only after that." : nil
    case .missing where path.isFromElsewhere:
      remarks.fault(
        .evidenceOutside,
        "\(owner) was written to \(path.original ?? ""), which is not read: it lies outside the inputs, and there is no file"
          + " of its name among their attachments.")
      return "It was written outside the run, and was not read."
    case .missing:
      return missing(evidence, owner, &remarks)
    case .outside:
      remarks.fault(
        .evidenceOutside,
        "\(owner) is named by a path that is not a file of its folder: \(path.original ?? path.path)")
      return "Its path leads out of its folder and was not followed."
    case .unreadable(let error):
      remarks.fault(.evidenceUnreadable, "\(owner) cannot be read: \(error.reason).")
      return "It cannot be read: \(error.reason)."
    }
  }
}

extension ObservedEvidence {
  fileprivate func isFalseDatabase(_ file: ContainedFile, _ recognised: EvidenceKind) -> Bool {
    guard kind == .database, details.database?.method != .raw else { return false }
    return file.size > 0 && recognised != .database
  }
}

import Collector
import ExhibitSQLite
import Glibc

extension EvidenceCapture {
  func captureDatabases(except paths: Set<String>, afterBody: Bool) {}
  func captureDatabase(at path: String, name: String, keep: EvidenceKeep) {}
  func captureDatabase(of reference: ConnectionReference, name: String, keep: EvidenceKeep) {}
  func archiveDirectory(at path: String, excluding: [String], to place: Place) throws -> DirectoryArchive { throw CaptureError(reason: .io, message: "") }
  func isOpenDatabase(_ status: stat) -> Bool { false }
}

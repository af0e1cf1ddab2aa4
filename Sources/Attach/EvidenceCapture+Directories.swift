import Collector

extension EvidenceCapture {
  func archiveDirectory(at path: String, excluding: [String], to place: Place) throws -> DirectoryArchive {
    throw CaptureError(.unsupported, "")
  }
}

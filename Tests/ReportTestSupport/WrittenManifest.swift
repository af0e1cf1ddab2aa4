extension TemporaryFolder {
  /// Writes the manifest of a run of format 1.0, in the run's folder.
  ///
  /// - Parameter package: The package's folder; by default this one.
  func writeManifest(to run: String, package: String? = nil) throws {
    try write(
      "{\"format\":\"1.4\",\"run\":\"r\",\"start\":1,\"package\":\"\(package ?? path)\"}",
      to: "\(run)/run.json")
  }
}

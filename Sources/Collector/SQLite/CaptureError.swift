/// Why something could not be captured.
package struct CaptureError: Error, Equatable {
  package var reason: CaptureFailure.Reason
  /// One sentence for the reader.
  package var message: String
  /// The size of what was left out, when known.
  package var bytes: Int?

  package init(reason: CaptureFailure.Reason, message: String, bytes: Int? = nil) {
    self.reason = reason
    self.message = message
    self.bytes = bytes
  }
}

import Collector
import Testing

/// A file says its version, and only what may have been written by this version or a later minor one is read.
@Suite struct ArtifactsFormatTests {
  private func refusal(_ format: String) -> FormatRefusal? {
    do throws(FormatRefusal) {
      try ArtifactsFormat.check(format)
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: ["1.4", "1.5", "1.10", "1.99"]) func thisAndLaterMinorVersionsAreRead(format: String) {
    #expect(refusal(format) == nil)
  }

  @Test(arguments: ["1.3", "1.0", "0.9", "0.99"]) func earlierOnesAreNot(format: String) {
    #expect(refusal(format) == FormatRefusal(.older, format))
  }

  @Test(arguments: ["2.0", "2.4", "10.0"]) func newerMajorOnesAreNot(format: String) {
    #expect(refusal(format) == FormatRefusal(.newer, format))
  }

  @Test(arguments: [
    "", ".", "1", "1.", ".4", "1.4.0", "-1.4", "+1.4", "1.-4", " 1.4", "1.4\n", "one", "1,4",
    "1.99999999999999999999", "١.٤",
  ])
  func nonsenseIsNoVersion(format: String) {
    #expect(refusal(format) == FormatRefusal(.none, format))
  }

  @Test func whatIsSaidNamesBothVersionsAndWhatToDo() {
    #expect(
      "\(FormatRefusal(.older, "1.3"))"
        == "Format 1.3 is older than 1.4, which this reporter reads; run the tests again with this version of Exhibit."
    )
    #expect(
      "\(FormatRefusal(.newer, "2.0"))"
        == "Format 2.0 is newer than 1.4, which this reporter reads; update reporter.")
    // What is no version may be any text, and is not repeated.
    #expect("\(FormatRefusal(.none, "<script>"))" == "Its format is no version, as 1.4 is.")
  }

  @Test func onlyALaterVersionExcusesWhatCannotBeRead() {
    #expect(ArtifactsFormat.laterMinor("1.4") == nil)
    #expect(ArtifactsFormat.laterMinor("1.9") == FormatRefusal(.later, "1.9"))
  }
}

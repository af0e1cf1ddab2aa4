import Testing

@testable import Reporter

/// Sizes on the command line.
@Suite struct ByteSizeTests {
  @Test(arguments: [
    ("8000000", 8_000_000), ("0", 0), ("500kB", 500_000), ("48MiB", 48 << 20), ("1gb", 1_000_000_000),
    ("7B", 7),
  ])
  func sizesAreRead(text: String, bytes: Int) {
    #expect(ByteSize(argument: text)?.bytes == bytes)
  }

  @Test(arguments: ["", "MB", "-1", "1.5MB", "8 MB", "8XB", "99999999999999999999", "9999999999GiB", "٣"])
  func whatIsNoSizeIsRefused(text: String) {
    #expect(ByteSize(argument: text) == nil)
  }
}

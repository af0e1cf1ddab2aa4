import Testing

/// Tests of Swift Testing beside XCTests, in a target whose runner is not the last.
@Suite struct OtherTests {
  @Test func passes() {}

  @Test(.disabled("not today")) func skipped() {}

  @Test(arguments: [1, 2, 3]) func cases(number: Int) { #expect(number != 2) }
}

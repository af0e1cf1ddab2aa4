import ExhibitSystem
import Foundation
import Testing

/// A limit of work passes by what the work takes of the processor, not by how busy others keep it.
@Suite struct ThreadDeadlineTests {
  @Test func itDoesNotPassWhileItsThreadWaits() {
    let deadline = ThreadDeadline(seconds: 0.2)
    usleep(400_000)
    #expect(!deadline.hasPassed)
  }

  @Test func itPassesWhenItsThreadHasWorkedSoLong() {
    let deadline = ThreadDeadline(seconds: 0.05)
    let end = ThreadDeadline.taken + .milliseconds(50)
    while ThreadDeadline.taken < end {}
    // A thread that has worked so long has been there so long, too.
    #expect(deadline.hasPassed)
  }

  @Test func noneIsLeftOfNothing() {
    #expect(ThreadDeadline(seconds: 0).hasPassed)
  }
}

import Synchronization
import Testing

@testable import Reporter

@Suite struct ProgressLineTests {
  @Test func theLineIsReplacedAndTakenAway() {
    let screen = Screen()
    let line = ProgressLine(write: screen.write)
    #expect(line.draw())
    #expect(screen.text == "")
    line.say("Reading a.xml")
    #expect(line.draw())
    line.say("Writing")
    #expect(line.draw())
    line.finish()
    #expect(screen.text == "\r\u{1B}[KReading a.xml …\r\u{1B}[KWriting …\r\u{1B}[K")
    #expect(!line.draw())
  }

  @Test func whatIsSaidStaysOnOneLine() {
    let screen = Screen()
    let line = ProgressLine(write: screen.write)
    line.say("Reading a\n::error::x\u{1B}[2J##[group]")
    #expect(line.draw())
    #expect(screen.text == "\r\u{1B}[KReading a⏎::error::x⟨ESC⟩[2J# #[group] …")
  }

  @Test func workThatWasNotSeenLeavesNothingToTakeAway() {
    let screen = Screen()
    let line = ProgressLine(write: screen.write)
    line.say("Reading")
    line.finish()
    #expect(screen.text == "")
  }

  private final class Screen: Sendable {
    private let shown = Mutex("")
    var text: String { shown.withLock { $0 } }
    @Sendable func write(_ text: String) { shown.withLock { $0 += text } }
  }
}

import Collector
import Foundation
import Testing

@testable import ReportRendering
@testable import ReportStory

/// The states that the page's script works out, against those that Exhibit tells in the terminal.
@Suite struct StateScriptTests {
  /// Steps of each database that are compared, beside the first and the last.
  private static let compared = 60

  @Test(
    .enabled(
      if: Browser.isAvailable,
      "needs Chromium and the Python packages playwright and axe-playwright-python, which ci/setup installs"))
  func theScriptTellsTheSameStates() async throws {
    let run = try await StoryTruth.run(try #require(StoryTruth.seeds.first))
    let folder = try TemporaryFolder()
    var files: [String] = []
    for truth in try StoryTruth.all(of: run) {
      let (builder, schemas) = try truth.builder(of: run)
      for timeline in builder.timelines(of: schemas, in: "") {
        files.append(file(timeline))
      }
    }
    let script = "window.cases = [\n\(files.joined(separator: ",\n"))\n];\n"
    try folder.write(Array(script.utf8), to: "cases.js")
    try folder.write(
      try Array(Data(contentsOf: ThisPackage.file("templates/script/states.js"))), to: "states.js")
    try folder.write(Array(scriptCodes().utf8), to: "codes.js")
    let page =
      "<!doctype html><script>var exhibit = {};</script><script src=\"codes.js\"></script><script src=\"states.js\"></script><script src=\"cases.js\"></script>"
    try folder.write(Array(page.utf8), to: "index.html")
    #expect(files.count >= 14)
    try await Browser.check("check-states", folder)
  }

  /// A timeline and what is expected of it: `[timeline, [[table, step, reason, exists, holdsCaptured, [[key, row]]]]]`.
  private func file(_ timeline: StateTimeline) -> String {
    var text = JSONText(.script)
    text.array { text in
      var room = Int.max
      text.array { timeline.write(number: 1, to: &$0, &room) }
      text.array { text in
        let steps = timeline.steps.map { timeline.visibility.spans[$0.place].born }
        let stride = max(1, steps.count / Self.compared)
        let chosen = steps.enumerated().filter { $0.offset % stride == 0 || $0.offset + 1 == steps.count }
        for (_, step) in chosen {
          for table in timeline.tables {
            text.array { write(table.name, step, timeline, to: &$0) }
          }
        }
      }
    }
    return text.withBytes { String(decoding: $0, as: UTF8.self) }
  }

  private func write(_ table: String, _ step: Int, _ states: StateTimeline, to text: inout JSONText) {
    text.element(table)
    RowText.append(Int64(step), to: &text)
    switch states.state(of: table, .after(step: step)) {
    case .failure(let bound): text.element(bound.sentence)
    case .success(let state):
      text.element("")
      text.plain("\(state.exists)")
      text.plain("\(state.holdsCaptured)")
      text.array { text in
        for (key, row) in state.rows.sorted(by: { $0.key < $1.key }) {
          text.array { text in
            StateTimeline.write(key, to: &text)
            guard let row else { return text.plain("null") }
            text.array { text in
              for value in row { RowText.append(value, to: &text) }
            }
          }
        }
      }
    }
  }
}

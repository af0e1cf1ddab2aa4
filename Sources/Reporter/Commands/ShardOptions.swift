import ArgumentParser
import ReportModel
import ReportPipeline

struct ShardOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Run one of several shards of the tests, such as 2/4: by suite, by the durations of a --history that is named, else \
      all tests count alike.
      """, valueName: "number/count"),
    transform: Self.choice)
  var shard: ShardChoice?

  @Flag(help: "With --shard: print how the tests are split, and the tests of that shard, and run none.")
  var list = false

  func validate() throws {
    if list && shard == nil { throw ValidationError("--list needs --shard.") }
  }

  private static func choice(_ text: String) throws -> ShardChoice {
    guard let choice = ShardChoice(text) else {
      throw ValidationError("\(printedLine(text)) is no shard such as 2/4, of at most \(Shard.most).")
    }
    return choice
  }
}

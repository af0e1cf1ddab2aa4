import ReportCauses
import ReportModel
import ReportPlaces
package import ReportStory

extension ExplainedTest {
  /// Sentences on what makes the test pass, or else on what was tried.
  ///
  /// - Parameters:
  ///   - told: The test's steps.
  ///   - effect: The first difference made by the successful change, if compared.
  package func explanations(_ told: ToldSteps, effect: Explanation?) -> [Explanation] {
    guard let first = proven.first else { return [remainder(told)].compactMap(\.self) }
    if first.breaksOthers {
      let sentence: Explanation.Words = "Nothing passes without breaking others. \(first.sentence(told))"
      return [
        Explanation(.tried, sentence, weight: Weight.experiments, about: Set([first.step].compactMap(\.self)))
      ]
    }
    return proven.filter { !$0.breaksOthers }.enumerated().map { rank, proven in
      var sentence = proven.sentence(told)
      let effect = rank == 0 ? effect : nil
      if let effect { sentence += "\(" ")\(effect.pieces)" }
      return Explanation(
        .proven, sentence, rows: effect?.rows, weight: Weight.proven - Double(rank),
        about: Set([proven.step].compactMap(\.self)))
    }
  }

  private func remainder(_ told: ToldSteps) -> Explanation? {
    switch control {
    case .differs(let sentence): return Explanation(.certain, "\(sentence)", weight: Weight.experiments)
    case .refused(let sentence):
      return Explanation(.certain, "No experiment was made: \(sentence)", weight: Weight.experiments)
    case .fails:
      guard tried > 0 else { return nil }
      let effect =
        changing == 0
        ? "none has an effect on it"
        : "\(grouped(changing)) \(changing == 1 ? "has" : "have") it fail otherwise"
      let rest = tried < planned ? " \(grouped(planned - tried)) more were planned." : ""
      var sentence: Explanation.Words = """
        With none of \(counted(tried, "change")) of \(counted(statements, "statement")) the test passes; \(effect).
        """
      if !reaching.isEmpty, idle > 0 {
        sentence +=
          " \(counted(idle, "statement")) \(idle == 1 ? "has" : "have") no effect on what it compares."
      }
      sentence += " Then the cause is rather in the code between its reads and writes"
      let places = codeBetween(told)
      for (index, place) in places.enumerated() {
        sentence += "\(index == 0 ? ", in " : index == places.count - 1 ? " and " : ", ", place: place)"
      }
      sentence += ".\(rest)"
      return Explanation(.tried, sentence, weight: Weight.experiments)
    }
  }

  private static let mostFunctions = 3

  /// Functions that both read and write what the test compares, innermost first, with the line of the latest write.
  private func codeBetween(_ told: ToldSteps) -> [Place] {
    let steps = reaching.compactMap { number in told.steps.first { $0.number == number } }
    let reads = steps.filter { $0.text.kind == .select }
    var found: [Place] = []
    for write in steps.filter({ $0.text.isWrite }).sorted(by: { $0.number > $1.number }) {
      // Functions that run any statement are skipped.
      let frames = write.stack.map { $0.frames.dropFirst($0.telling).dropLast() } ?? []
      let between = frames.first { frame in
        reads.contains { read in read.stack?.frames.contains { $0.place.symbol == frame.place.symbol } == true
        }
      }
      if let place = between?.place, !found.contains(where: { $0.symbol == place.symbol }) {
        found.append(place)
      }
    }
    return Array(found.prefix(Self.mostFunctions))
  }
}

extension ExplainedTest.Proven {
  fileprivate func sentence(_ told: ToldSteps) -> Explanation.Words {
    let step = step.flatMap { number in (told.steps + told.counted).first { $0.number == number } }
    var sentence: Explanation.Words = "\([.values(words, without: bare)])"
    if let step {
      sentence += "\(" at ", place: step.place) (\(step: step.number))"
    }
    sentence += " the test passes\(others.map(Self.words) ?? "")."
    if more > 0 { sentence += " So it does with \(counted(more, "other change")) of that statement." }
    return sentence
  }

  private static func words(_ others: ExplainedTest.Others) -> String {
    let failed = others.failed.count
    if failed == 0 {
      switch others.passed {
      case 0: return ""
      case 1: return ", and so does the other one of its target"
      default: return ", and so do the \(grouped(others.passed)) others of its target that passed"
      }
    }
    let names =
      others.failed.prefix(2).joined(separator: ", ") + (failed > 2 ? " and \(grouped(failed - 2)) more" : "")
    return
      ", but \(counted(failed, "other")) of its target \(failed == 1 ? "fails" : "fail") with it: \(names)"
  }
}

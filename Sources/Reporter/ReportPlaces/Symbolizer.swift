import Collector
package import ReportModel

/// Finds source places of addresses with the toolchain's programs.
///
/// It runs `llvm-symbolizer` once per file and `swift-demangle` once.
package struct Symbolizer: Sendable {
  private let tools: SymbolTools
  private let environment: [String: String]
  private let root: SourceRoot
  private let patience: Duration

  /// Limits of one file's addresses and of a program's output.
  private static let (mostAddresses, mostBytes) = (200_000, 256 << 20)

  /// - Parameter root: The run's package folder.
  package init(
    tools: SymbolTools, root: SourceRoot, environment: [String: String], patience: Duration = .seconds(60)
  ) {
    self.tools = tools
    self.root = root
    self.environment = environment
    self.patience = patience
  }

  /// Places of addresses, added to known ones.
  ///
  /// A file with unknown addresses is asked for all; known ones stay if it has changed.
  package func places(of addresses: [CodeAddress], known: CodePlaces = CodePlaces()) -> CodePlaces {
    var files: [CodeFile: CodePlaces.File] = [:]
    for file in known.files { files[file.code] = file }
    var answers: [CodeFile: PlaceReading.Answers] = [:]
    for (code, asked) in Dictionary(grouping: addresses, by: \.file) {
      let offsets = Set(asked.map(\.offset)).union(files[code].map { Set($0.places.keys) } ?? [])
      if let places = files[code]?.places, offsets.allSatisfy({ places[$0] != nil }) { continue }
      do throws(Problem) {
        answers[code] = try self.answers(of: code, to: offsets.sorted())
      } catch {
        files[code, default: CodePlaces.File(code: code)].problem = error.sentence
      }
    }
    do throws(Problem) {
      let all = answers.values.joined().flatMap(\.value)
      let expansions = Set(all.map(\.file)).compactMap(MacroExpansion.symbol)
      let symbols = try self.symbols(Set(all.map(\.symbol) + expansions))
      var sources = SourceFiles(below: root)
      for (code, answers) in answers {
        files[code] = PlaceReading(answers, symbols: symbols).file(code, &sources)
      }
    } catch {
      for code in answers.keys {
        files[code, default: CodePlaces.File(code: code)].problem = error.sentence
      }
    }
    return CodePlaces(Array(files.values))
  }

  private struct Problem: Error {
    var sentence: String
  }

  // MARK: - llvm-symbolizer

  /// The functions at addresses, innermost first.
  private func answers(of code: CodeFile, to offsets: [UInt64]) throws(Problem) -> PlaceReading.Answers {
    if let sentence = code.problem { throw Problem(sentence: sentence) }
    guard offsets.count <= Self.mostAddresses else {
      throw Problem(sentence: code.unnamed("has more than \(grouped(Self.mostAddresses)) addresses"))
    }
    // A call can be the last instruction of its line, so ask for the byte before the return address.
    let asked = offsets.map { "0x" + String($0 == 0 ? 0 : $0 - 1, radix: 16) }
    let lines = try output(
      at: tools.symbolizer,
      ["--obj=\(code.path)", "--output-style=JSON", "--functions=linkage", "--inlines", "--demangle"],
      to: asked, problem: { code.unnamed("cannot be read by llvm-symbolizer, which \($0)") }
    ).split(separator: UInt8(ascii: "\n"))
    let odd = Problem(sentence: code.unnamed("cannot be read by llvm-symbolizer, or its answer by reporter"))
    guard lines.count == asked.count else { throw odd }
    var answers: PlaceReading.Answers = [:]
    for (line, (offset, asked)) in zip(lines, zip(offsets, asked)) {
      guard let value = line.withUnsafeBufferPointer({ JSONValue($0) }), value["Address"]?.string == asked,
        let functions = value["Symbol"]?.array
      else { throw odd }
      answers[offset] = functions.compactMap { SymbolizerAnswer($0) }
    }
    return answers
  }

  // MARK: - swift-demangle

  private func symbols(_ symbols: Set<String>) throws(Problem) -> [String: SymbolMeaning] {
    var meanings: [String: SymbolMeaning] = [:]
    let mangled = symbols.filter(Self.isSwift).sorted()
    for symbol in symbols where !symbol.hasPrefix("$") {
      meanings[symbol] = .function(FunctionName(ofC: symbol))
    }
    if mangled.isEmpty { return meanings }
    func problem(_ reason: String) -> String { "swift-demangle \(reason); addresses have no names." }
    let output = try output(at: tools.demangler, ["-tree-only"], to: mangled, problem: problem)
    guard let trees = DemangledTrees.read(output, of: mangled) else {
      throw Problem(sentence: problem("gives an answer that cannot be read"))
    }
    for (symbol, tree) in zip(mangled, trees) { meanings[symbol] = tree.map { SymbolMeaning($0) } }
    return meanings
  }

  private static func isSwift(_ symbol: String) -> Bool {
    (symbol.hasPrefix("$s") || symbol.hasPrefix("$S"))
      && symbol.utf8.allSatisfy { $0.isLetter || $0.isDigit || "_$.".utf8.contains($0) }
  }

  private func output(
    at program: String, _ arguments: [String], to lines: [String], problem: (String) -> String
  ) throws(Problem) -> [UInt8] {
    let run = ToolRun(
      program: program, arguments: arguments, environment: environment, deadline: .now + patience,
      most: Self.mostBytes)
    do throws(ToolRun.Failure) {
      return try run.answer(to: Array((lines.joined(separator: "\n") + "\n").utf8))
    } catch {
      throw Problem(sentence: problem(error.reason))
    }
  }
}

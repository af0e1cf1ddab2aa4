import Collector

/// One function in an answer of `llvm-symbolizer`.
struct SymbolizerAnswer {
  var symbol: String
  /// The path in the debug information; empty without one.
  var file: String
  var line: Int

  init?(_ value: JSONValue) {
    guard let symbol = value["FunctionName"]?.string, !symbol.isEmpty else { return nil }
    self.symbol = symbol
    file = value["FileName"]?.string.flatMap { $0.contains("/") ? $0 : nil } ?? ""
    line = value["Line"]?.integer ?? 0
  }
}

/// Makes the places of a file from answers on its addresses.
struct PlaceReading {
  /// By offset, inlined functions first.
  typealias Answers = [UInt64: [SymbolizerAnswer]]

  private let answers: Answers
  private let symbols: [String: SymbolMeaning]
  private let overloads: [String: Int]

  init(_ answers: Answers, symbols: [String: SymbolMeaning]) {
    self.answers = answers
    self.symbols = symbols
    overloads = Self.overloads(
      of: Set(answers.values.joined().map(\.symbol)).compactMap { symbols[$0]?.function })
  }

  private static func overloads(of functions: [FunctionName]) -> [String: Int] {
    var keys: [PlaceName: Set<String>] = [:]
    for function in functions {
      var name = function.name
      name.isClosure = false
      keys[name, default: []].insert(function.key)
    }
    var overloads: [String: Int] = [:]
    for keys in keys.values where keys.count > 1 {
      for (number, key) in keys.sorted().enumerated() { overloads[key] = number }
    }
    return overloads
  }

  func file(_ code: CodeFile, _ sources: inout SourceFiles) -> CodePlaces.File {
    var file = CodePlaces.File(code: code)
    let known = moduleFiles(&sources)
    for (offset, answers) in answers {
      // Code inlined into merged functions is ambiguous too.
      if case .sharedCode? = answers.last.flatMap({ symbols[$0.symbol] }) {
        file.places[offset] = []
      } else {
        file.places[offset] = answers.indices.compactMap { index in
          place(answers[index], isOutermost: index == answers.count - 1, known, &sources)
        }
      }
    }
    if answers.values.joined().allSatisfy(\.file.isEmpty), sources.path(of: code.path) != nil {
      file.problem = "\(code.name) has no debug information; its functions have names, but no lines."
    }
    return file
  }

  private func place(
    _ answer: SymbolizerAnswer, isOutermost: Bool, _ known: [[String]: String], _ sources: inout SourceFiles
  ) -> Place? {
    guard let function = symbols[answer.symbol]?.function else { return nil }
    var name = function.name
    name.overload = overloads[function.key] ?? 0
    if let symbol = MacroExpansion.symbol(ofFile: answer.file) {
      // An expansion inside a function also has the function's line.
      guard isOutermost, let expansion = symbols[symbol]?.expansion,
        let path = known[[expansion.module, expansion.file]] ?? sources.path(of: expansion)
      else { return nil }
      return Place(symbol: answer.symbol, name: name, file: path, line: expansion.line)
    }
    if answer.file.hasSuffix("<compiler-generated>") { return nil }
    let path = sources.path(of: answer.file)
    let line = path != nil && answer.line > 0 ? answer.line : nil
    return Place(symbol: answer.symbol, name: name, file: path, line: line)
  }

  // MARK: - Expansions

  /// Paths below the source root by module and file name, as macro expansions name files.
  private func moduleFiles(_ sources: inout SourceFiles) -> [[String]: String] {
    var files: [[String]: String] = [:]
    for answer in answers.values.joined() {
      guard let module = symbols[answer.symbol]?.function?.name.module,
        MacroExpansion.symbol(ofFile: answer.file) == nil, let path = sources.path(of: answer.file)
      else { continue }
      files[[module, path.split(separator: "/").last.map(String.init) ?? path]] = path
    }
    return files
  }
}

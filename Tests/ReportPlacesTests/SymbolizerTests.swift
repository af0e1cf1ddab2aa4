import Foundation
import ReportModel
import Testing

@testable import ReportPlaces

/// The programs of the toolchain, and scripts in their place.
@Suite struct SymbolizerTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private static let environment = ProcessInfo.processInfo.environment

  private func script(_ name: String, _ text: String) throws -> String {
    let path = folder(name)
    // Another process writes it: a child that another test starts meanwhile would inherit a file open for writing here,
    // and a script that is open for writing cannot be run.
    let write = #"mkdir -p "$(dirname "$0")" && cat > "$0" && chmod 755 "$0""#
    let written = try Command(["sh", "-c", write, path], input: "#!/bin/sh\n\(text)\n").run()
    try #require(written.status == 0, "\(written.output)")
    return path
  }

  /// What is made of one address of a file, with scripts for programs.
  private func places(
    symbolizer: String, demangler: String = "exit 9", environment: [String: String] = environment,
    offset: UInt64 = 0x10, known: CodePlaces = CodePlaces(), patience: Duration = .seconds(60)
  ) throws -> CodePlaces.File {
    let program = try program()
    let tools = SymbolTools(
      symbolizer: try script("llvm-symbolizer", symbolizer),
      demangler: try script("swift-demangle", demangler))
    return try #require(
      Symbolizer(
        tools: tools, root: SourceRoot(path: folder.path), environment: environment, patience: patience
      ).places(of: [CodeAddress(file: program, offset: offset)], known: known)[program])
  }

  private func program() throws -> CodeFile {
    try FileManager.default.fileExists(atPath: folder("DemoTests.xctest"))
      ? CodeFile(at: folder("DemoTests.xctest"))
      : CodeFile(at: try folder.write("code", to: "DemoTests.xctest"))
  }

  /// A line of `llvm-symbolizer`.
  private func answer(_ functions: String..., address: String = "0xf") -> String {
    "printf '%s\\n' '{\"Address\":\"\(address)\",\"ModuleName\":\"a\",\"Symbol\":[\(functions.joined(separator: ","))]}'"
  }

  private func function(_ name: String, _ file: String = "", _ line: Int = 0) -> String {
    #"{"Column":0,"FileName":"\#(file)","FunctionName":"\#(name)","Line":\#(line)}"#
  }

  // MARK: - Finding the programs

  @Test func theProgramsLieBesideSwift() throws {
    _ = try script("toolchain/swift-driver", "")
    for tool in ["llvm-symbolizer", "swift-demangle"] { _ = try script("toolchain/\(tool)", "") }
    _ = try folder.makeFolder("bin")
    try FileManager.default.createSymbolicLink(
      atPath: folder("bin/swift"), withDestinationPath: "../toolchain/swift-driver")
    let path = "/none:\(folder("bin")):/usr/bin"
    let tools = try SymbolTools(environment: ["PATH": path])
    #expect(tools.symbolizer == folder("toolchain/llvm-symbolizer"))
    #expect(tools.demangler == folder("toolchain/swift-demangle"))
  }

  @Test func elseTheyAreLookedForOnThePath() throws {
    _ = try script("swiftly/swift", "")
    for tool in ["llvm-symbolizer", "swift-demangle"] { _ = try script("bin/\(tool)", "") }
    let tools = try SymbolTools(environment: ["PATH": "\(folder("swiftly")):\(folder("bin"))"])
    #expect(tools.symbolizer == folder("bin/llvm-symbolizer"))
  }

  @Test(arguments: [[:], ["PATH": ""], ["PATH": "/none"]]) func withoutThemASentenceSaysSo(
    environment: [String: String]
  ) {
    #expect(throws: SymbolTools.Missing(program: "llvm-symbolizer")) {
      try SymbolTools(environment: environment)
    }
    #expect(
      "\(SymbolTools.Missing(program: "llvm-symbolizer"))"
        == "llvm-symbolizer lies neither beside swift nor in a folder of PATH; addresses have no names.")
  }

  // MARK: - Asking

  @Test func theByteBeforeAnAddressIsAskedFor() throws {
    let file = try places(
      symbolizer: "cat > \(folder("asked")); echo \"$@\" > \(folder("arguments"));\n"
        + answer(function("inner", folder("A.c"), 4), function("outer", folder("A.c"), 7)))
    #expect(try folder.read("asked") == "0xf\n")
    #expect(
      try folder.read("arguments").hasPrefix("--obj=\(folder("DemoTests.xctest")) --output-style=JSON "))
    #expect(file.problem == nil)
    #expect(file.places[0x10]?.map(\.name.function) == ["inner", "outer"])
    // The file is not there.
    #expect(file.places[0x10]?.map(\.file) == [nil, nil])
  }

  @Test func theFirstByteIsAskedForItself() throws {
    let file = try places(
      symbolizer: "cat > \(folder("asked"))\n" + answer(function("f"), address: "0x0"), offset: 0)
    #expect(try folder.read("asked") == "0x0\n")
    #expect(file.places[0]?.map(\.name.function) == ["f"])
  }

  @Test func filesAreToldBelowTheRootOnly() throws {
    try folder.write("", to: "Sources/A.swift")
    let outside = try TemporaryFolder()
    let other = try outside.write("", to: "B.swift")
    let file = try places(
      symbolizer: answer(
        function("a", folder("Sources/A.swift"), 4), function("b", other, 5),
        function("c", "/none/C.swift", 6),
        function("d", folder("Sources/A.swift"), 0), function("e", "/<compiler-generated>", 0),
        function("", folder("Sources/A.swift"), 3)))
    #expect(file.places[0x10]?.map(\.name.function) == ["a", "b", "c", "d"])
    #expect(file.places[0x10]?.map(\.file) == ["Sources/A.swift", nil, nil, "Sources/A.swift"])
    #expect(file.places[0x10]?.map(\.line) == [4, nil, nil, nil])
  }

  @Test func withoutDebugInformationThereAreFunctions() throws {
    let file = try places(symbolizer: answer(function("app_main")))
    #expect(file.places[0x10]?.map(\.name.function) == ["app_main"])
    #expect(
      file.problem == "DemoTests.xctest has no debug information; its functions have names, but no lines.")
  }

  @Test func anAddressOfNoFunctionHasNoPlaces() throws {
    #expect(try places(symbolizer: answer()).places == [0x10: []])
  }

  @Test func variablesThatChangeTheAnswerAreKeptFromThePrograms() throws {
    let odd = [
      "LLVM_SYMBOLIZER_OPTS": "--output-style=GNU", "DEBUGINFOD_URLS": "https://example.org", "KEPT": "1",
    ]
    _ = try places(
      symbolizer: "env > \(folder("variables"))\n" + answer(function("f")),
      environment: Self.environment.merging(odd) { $1 })
    let variables = try folder.read("variables").split(separator: "\n").map { $0.prefix { $0 != "=" } }
    #expect(variables.contains("KEPT"))
    #expect(!variables.contains { $0.hasPrefix("LLVM_") || $0.hasPrefix("DEBUGINFOD_") })
  }

  @Test func aKnownFileIsNotAskedAgain() throws {
    let first = try places(symbolizer: answer(function("f")))
    let known = CodePlaces([first])
    #expect(try places(symbolizer: "exit 3", known: known) == first)
    // A new address: all are asked for.
    let both = try places(
      symbolizer: answer(function("f")) + "\n" + answer(function("g"), address: "0x1f"), offset: 0x20,
      known: known)
    #expect(both.places.mapValues { $0.map(\.name.function) } == [0x10: ["f"], 0x20: ["g"]])
    // Where that fails, what is known stays.
    let failed = try places(symbolizer: "exit 3", offset: 0x20, known: known)
    #expect(failed.places == first.places)
    #expect(failed.problem?.contains("status 3") == true)
  }

  @Test func anotherFileIsNotAsked() throws {
    var code = try program()
    code.changedAt += 1
    let tools = SymbolTools(symbolizer: try script("llvm-symbolizer", "exit 3"), demangler: "/none")
    let places = Symbolizer(tools: tools, root: SourceRoot(path: folder.path), environment: Self.environment)
      .places(of: [CodeAddress(file: code, offset: 1)])
    #expect(
      places.files.map(\.problem) == [
        "DemoTests.xctest was built again since the run; no names for its addresses."
      ])
    #expect(places[CodeAddress(file: code, offset: 1)] == nil)
  }

  // MARK: - Programs that fail

  private func problem(_ symbolizer: String, demangler: String = "exit 9", patience: Duration = .seconds(60))
    throws -> String?
  {
    let file = try places(symbolizer: symbolizer, demangler: demangler, patience: patience)
    #expect(file.places.isEmpty)
    return file.problem
  }

  @Test(arguments: [
    ("exit 3", "fails with the status 3"), ("kill -9 $$", "dies of the signal 9"),
    ("exec sleep 1000", "takes too long"), ("exec >&- 2>&-; exec sleep 1000", "takes too long"),
  ])
  func aProgramThatFailsIsSaid(script: String, reason: String) throws {
    #expect(
      try problem(script, patience: .milliseconds(reason.hasPrefix("takes") ? 300 : 60_000))
        == "DemoTests.xctest cannot be read by llvm-symbolizer, which \(reason); no names for its addresses.")
  }

  @Test func aProgramThatCannotBeStartedIsSaid() throws {
    let program = try program()
    let tools = SymbolTools(symbolizer: folder("none"), demangler: "/none")
    let symbolizer = Symbolizer(
      tools: tools, root: SourceRoot(path: folder.path), environment: Self.environment)
    let file = try #require(symbolizer.places(of: [CodeAddress(file: program, offset: 1)]).files.first)
    #expect(
      file.problem
        == "DemoTests.xctest cannot be read by llvm-symbolizer, which cannot be started (No such file or directory); "
        + "no names for its addresses.")
  }

  @Test(arguments: [
    "true", "echo", "echo nonsense", "echo '{}'", "echo '[]'", #"echo '{"Address":"0xf"}'"#,
    #"echo '{"Address":"0xe","Symbol":[]}'"#, #"echo '{"Address":"0xf","Symbol":{}}'"#,
    #"echo '{"Address":"0xf","Error":{"Message":"The file was not recognized as a valid object file"}}'"#,
    #"echo '{"Address":"0xf","Symbol":[]}'; echo '{"Address":"0xf","Symbol":[]}'"#,
    "head -c 100000 /dev/zero", #"printf '{"Address":"0xf","Symbol":[\377\376'"#,
  ])
  func anOddAnswerIsSaid(script: String) throws {
    #expect(
      try problem(script)
        == "DemoTests.xctest cannot be read by llvm-symbolizer, or its answer by reporter; no names for its addresses."
    )
  }

  @Test func oddFunctionsAreNone() throws {
    let file = try places(
      symbolizer: answer(
        "1", "null", "{}", #"{"FunctionName":3}"#, #"{"FunctionName":"f","Line":-1,"FileName":[]}"#))
    #expect(file.places[0x10]?.map(\.name.function) == ["f"])
  }

  @Test(arguments: [
    ("exit 9", "swift-demangle fails with the status 9; addresses have no names."),
    ("echo nonsense", "swift-demangle gives an answer that cannot be read; addresses have no names."),
    ("true", "swift-demangle gives an answer that cannot be read; addresses have no names."),
    (
      "cat; cat /dev/null; echo odd",
      "swift-demangle gives an answer that cannot be read; addresses have no names."
    ),
  ])
  func aDemanglerThatFailsIsSaid(demangler: String, sentence: String) throws {
    #expect(try problem(answer(function("$s3App5DepotV2goyyF")), demangler: demangler) == sentence)
  }

  @Test(arguments: ["$sa b", "$s\\nDemangling for $sx", "$s\\u0000", "$e4main", "$x"])
  func oddSymbolsAreNotAskedFor(symbol: String) throws {
    // A demangler that is asked for anything fails.
    let file = try places(symbolizer: answer(function(symbol), function("f")))
    #expect(file.places[0x10]?.map(\.name.function) == ["f"])
  }

  @Test func endlessOutputIsCut() throws {
    let run = ToolRun(
      program: "/bin/sh", arguments: ["-c", "head -c 3000000 /dev/zero"], environment: Self.environment,
      deadline: .now + .seconds(60), most: 1 << 20)
    let failure = #expect(throws: ToolRun.Failure.self) { try run.answer(to: []) }
    #expect(failure?.reason == "answers with too much")
  }

  @Test func aLongQuestionIsAskedWhole() throws {
    let question = [UInt8](repeating: 0x61, count: 1 << 20)
    let run = ToolRun(
      program: "cat", arguments: [], environment: Self.environment, deadline: .now + .seconds(60),
      most: 1 << 22)
    #expect(try run.answer(to: question) == question)
  }
}

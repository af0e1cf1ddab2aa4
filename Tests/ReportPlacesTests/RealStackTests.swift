import Collector
import Foundation
import ReportModel
import Testing
import XCTest

@testable import ReportPlaces

/// Stacks of this very test process, which the toolchain's programs name.
@Suite struct RealStackTests {
  /// The places of stacks, symbolised together.
  private func read(_ stacks: [[CodeAddress]]) throws -> (stacks: [CallStack], places: CodePlaces) {
    let environment = ProcessInfo.processInfo.environment
    let symbolizer = Symbolizer(
      tools: try SymbolTools(environment: environment), root: SourceRoot(path: ThisPackage.folder.path),
      environment: environment)
    let places = symbolizer.places(of: stacks.flatMap { $0 })
    return (stacks.map { CallStack($0, in: places) }, places)
  }

  private func id(_ name: String) -> TestCaseID {
    TestCaseID(module: "ReportPlacesTests", suite: ["RealStackTests"], name: name)
  }

  /// The own functions of stacks up to the test, as `function:line`, with lines less that of the test's function.
  private func told(_ stacks: [[CodeAddress]], _ name: String, line first: Int) throws -> [[String]] {
    try read(stacks).stacks.map { stack in
      let test = try #require(stack.frames(of: id(name)), "\(stack.frames.map(\.place))")
      return try stack.frames[...test.upperBound].filter { $0.place.name.function != "recordedStack()" }.map {
        let name = $0.place.name
        #expect(name.module == "ReportPlacesTests")
        #expect($0.place.file?.hasPrefix("Tests/ReportPlacesTests/") == true)
        let line = try #require($0.place.line)
        return name.function + (name.isClosure ? "{}" : "")
          + ($0.place.file?.hasSuffix("RealStackTests.swift") == true
            ? ":\(line - first)" : "")
      }
    }
  }

  @Test func functionsAndClosuresAreTheirLines() throws {
    let line = #line - 1
    var stacks: [[CodeAddress]] = []
    stacks.append(recordedStack())
    [1].forEach { _ in
      stacks.append(recordedStack())
    }
    func local() -> [CodeAddress] {
      [1].map { _ in recordedStack() }[0]
    }
    stacks.append(local())
    stacks.append(RecordedForms(count: 3).nested())
    stacks.append(RecordedForms.shared.total)
    defer { #expect(stacks.count == 7) }
    stacks.append(try RecordedForms(named: "a").stack)
    stacks.append(RecordedForms.shared.put("text"))
    let test = "functionsAndClosuresAreTheirLines()"
    #expect(
      try told(stacks, test, line: line) == [
        ["RealStackTests.\(test):3"], ["RealStackTests.\(test){}:5"],
        ["local(){}:8", "RealStackTests.\(test):10"],
        ["RecordedForms.nested(){}", "RealStackTests.\(test):11"],
        ["RecordedForms.total", "RealStackTests.\(test):12"],
        ["RecordedForms.init(named:)", "RealStackTests.\(test):14"],
        ["RecordedForms.put(_:)", "RecordedForms.put(_:)", "RealStackTests.\(test):15"],
      ])
  }

  @Test func codeInMacrosHasTheLineOfTheMacro() throws {
    let line = #line - 1
    nonisolated(unsafe) var stacks: [[CodeAddress]] = []
    func record(_ result: Bool = true) -> Bool {
      stacks.append(recordedStack())
      return result
    }
    #expect(record())
    #expect(
      [1].allSatisfy { _ in
        record()
      })
    try #require(record())
    _ = try #require([1].map { _ in record() }.first as Bool?)
    let test = "codeInMacrosHasTheLineOfTheMacro()"
    // Which of them are closures is Swift Testing's affair.
    let told = try told(stacks, test, line: line).map { $0.map { $0.replacing("{}", with: "") } }
    let lines = [7, 8, 12, 13]
    #expect(told == lines.map { ["record(_:):4", "RealStackTests.\(test):\($0)"] })
  }

  @Test func codeInXCTestsAssertionsHasTheirLine() throws {
    let line = #line - 1
    var stacks: [[CodeAddress]] = []
    func record() throws -> Int {
      stacks.append(recordedStack())
      return stacks.count
    }
    XCTAssertEqual(try record(), 1)
    XCTAssertTrue(
      try record() == 2)
    XCTAssertNoThrow(try record())
    _ = try XCTUnwrap(
      [1].map { _ in
        try record()
      }.first)
    let test = "codeInXCTestsAssertionsHasTheirLine()"
    let told = try told(stacks, test, line: line).map { $0.map { $0.replacing("{}", with: "") } }
    let lines = [7, 8, 10, 13]
    #expect(told == lines.map { ["record():4", "RealStackTests.\(test):\($0)"] })
  }

  @Test func asyncTestsAreTheirFunction() async throws {
    let line = #line - 1
    var stacks: [[CodeAddress]] = []
    stacks.append(recordedStack())
    await Task.yield()
    stacks.append(recordedStack())
    stacks.append(
      await Task { recordedStack() }.value)
    stacks.append(await onQueue { recordedStack() })
    nonisolated(unsafe) var inMacro: [CodeAddress] = []
    #expect(
      await onQueue {
        inMacro = recordedStack()
        return inMacro
      }.count > 0)
    stacks.append(inMacro)
    let test = "asyncTestsAreTheirFunction()"
    let told = try told(stacks, test, line: line)
    #expect(
      told == [
        ["RealStackTests.\(test):3"], ["RealStackTests.\(test):5"], ["RealStackTests.\(test){}:7"],
        ["RealStackTests.\(test){}:8"], ["RealStackTests.\(test){}:10"],
      ])
  }

  @Test(arguments: [1]) func `a raw name, with. marks`(of number: Int) throws {
    let stack = try read([recordedStack()]).stacks[0]
    #expect(stack.frames(of: id("`a raw name, with. marks`(of:)")) != nil)
  }

  @Test func librariesHaveNamesAndNoFiles() throws {
    let (_, places) = try read([recordedStack()])
    let libraries = places.files.filter { !$0.isOwn }
    #expect(libraries.compactMap(\.problem) == [])
    #expect(libraries.flatMap(\.places.values).joined().compactMap(\.file) == [])
    let modules = Set(libraries.flatMap(\.places.values).joined().compactMap(\.name.module))
    #expect(modules.contains("Foundation"))
  }

  /// A copy of a library stands for a program without debug information.
  @Test func withoutDebugInformationFunctionsHaveNames() throws {
    let folder = try TemporaryFolder()
    let (_, places) = try read([recordedStack()])
    let library = try #require(
      places.files.filter { !$0.isOwn && $0.places.values.contains { !$0.isEmpty } }.min {
        $0.code.size < $1.code.size
      })
    try FileManager.default.copyItem(atPath: library.code.path, toPath: folder("DemoTests.xctest"))
    let copy = try CodeFile(at: folder("DemoTests.xctest"))
    let environment = ProcessInfo.processInfo.environment
    let symbolizer = Symbolizer(
      tools: try SymbolTools(environment: environment), root: SourceRoot(path: folder.path),
      environment: environment)
    let read = try #require(
      symbolizer.places(of: library.places.keys.map { CodeAddress(file: copy, offset: $0) }).files.first)
    #expect(
      read.problem == "DemoTests.xctest has no debug information; its functions have names, but no lines.")
    #expect(read.places == library.places)
  }

  @Test func twoReadingsAreTheSameBytes() throws {
    let stacks = [recordedStack(), RecordedForms.shared.put("text")]
    let (one, other) = (try read(stacks).places, try read(stacks.reversed()).places)
    #expect(PlacesFile.bytes(of: one) == PlacesFile.bytes(of: other))
    #expect(try PlacesFile.read(PlacesFile.bytes(of: one)) == one)
  }
}

extension CodePlaces.File {
  fileprivate var isOwn: Bool { places.values.joined().contains(where: \.isOwn) }
}

/// What a queue's thread returns of a closure.
private func onQueue(_ body: @escaping @Sendable () -> [CodeAddress]) async -> [CodeAddress] {
  await withCheckedContinuation { continuation in
    DispatchQueue.global().async { continuation.resume(returning: body()) }
  }
}

import Foundation
import ReportModel
import Testing

@testable import ReportPlaces

/// Names of symbols, which Swift 6.3 made of functions of all kinds.
@Suite struct SymbolNameTests {
  /// A symbol and the name that it is to have.
  struct Named: Sendable, CustomTestStringConvertible {
    var symbol: String
    var name: PlaceName?

    /// - Parameter function: `nil` for what is never shown.
    init(
      _ symbol: String, _ function: String?, module: String = "Forms", isClosure: Bool = false,
      in enclosing: String? = nil
    ) {
      self.symbol = symbol
      name = function.map {
        PlaceName(module: module, function: $0, isClosure: isClosure, enclosing: enclosing)
      }
    }

    var testDescription: String { symbol }
  }

  private static func meanings(of symbols: [String]) throws -> [SymbolMeaning?] {
    let environment = ProcessInfo.processInfo.environment
    let run = ToolRun(
      program: try SymbolTools(environment: environment).demangler, arguments: ["-tree-only"],
      environment: environment, deadline: .now + .seconds(60), most: 1 << 26)
    let output = try run.answer(to: Array(symbols.map { $0 + "\n" }.joined().utf8))
    return try #require(DemangledTrees.read(output, of: symbols)).map { $0.map { SymbolMeaning($0) } }
  }

  private func check(_ named: [Named]) throws {
    for (named, meaning) in zip(named, try Self.meanings(of: named.map(\.symbol))) {
      #expect(meaning?.function?.name == named.name, "\(named.symbol)")
    }
  }

  @Test func functionsHaveTheirTypeAndLabels() throws {
    try check([
      Named("$s5Forms5DepotV7receiveyySiF", "Depot.receive(_:)"),
      Named("$s5Forms5DepotV7receive_4fromySi_SStF", "Depot.receive(_:from:)"),
      Named("$s5Forms5DepotV4makeACyFZ", "Depot.make()"),
      Named("$s5Forms5DepotV6change2by_ySi_SidtF", "Depot.change(by:_:)"),
      Named("$s5Forms5DepotV1poiyA2C_ACtFZ", "Depot.+(_:_:)"),
      Named("$s5Forms5DepotV5typedyyAA3OddVYKF", "Depot.typed()"),
      Named("$s5Forms5DepotV4KindO3extyyF", "Depot.Kind.ext()"),
      Named("$s5Forms3iooyySiz_AA3OddVAA7JournalCntF", "ioo(_:_:_:)"),
      Named("$s5Forms008bung_zra009gre_GkaIiySi_tF", "übung(größe:)"),
      Named("$s5Forms0021arawname_jiadAGGIBdkayySiF", "`a raw name`(_:)"),
      Named("$s5Forms0019RawType_ohaIJBIAciaV0016init_weaDAFCEafayyF", "`Raw Type`.`in it`()"),
      Named(
        "$s5Forms7JournalC6secret33_6AAF931DB128E009BE343B571FE46A4ELLyyF", "Journal.secret()"),
      Named(
        "$s5Forms6Hidden33_6AAF931DB128E009BE343B571FE46A4ELLV2InV2goyyF", "Hidden.In.go()"),
    ])
  }

  @Test func typesOfGenericCodeAreLeftOut() throws {
    try check([
      Named("$s5Forms3BoxV3mapyqd__qd__xXElF", "Box.map(_:)"),
      Named("$s5Forms3BoxVAASiRszlE4onlyyyF", "Box.only()"),
      Named("$s5Forms3BoxV5InnerV1xyyF", "Box.Inner.x()"),
      Named("$s5Forms10overloadedyyxxQpRvzlF", "overloaded(_:)"),
      Named(
        "$sSlsE3mapySayqd__Gqd__7ElementQzqd_0_YKXEqd_0_YKs5ErrorRd_0_r0_lF", "Collection.map(_:)",
        module: "Swift"),
    ])
  }

  @Test func anExtensionIsOfTheModuleThatDeclaresIt() throws {
    try check([
      Named("$sSi5FormsE5twiceSiyF", "Int.twice()"),
      Named("$sSa5FormsSiRszlE5weird2atySi_tF", "Array.weird(at:)"),
      Named("$s5Forms5StorePAAE6commonyyFyyXEfU_", "Store.common()", isClosure: true),
    ])
  }

  @Test func closuresHaveTheNameOfTheirFunction() throws {
    try check([
      Named("$s5Forms5DepotV7receiveyySiFyyXEfU_", "Depot.receive(_:)", isClosure: true),
      Named("$s5Forms5DepotV7receiveyySiFyyXEfU_yyXEfU_", "Depot.receive(_:)", isClosure: true),
      Named("$s5Forms5DepotV5shortSbyFSbyKXEfu_SbyXEfU_", "Depot.short()", isClosure: true),
      Named("$s5Forms5DepotV4pathACSS_tKcfcyyXEfU_", "Depot.init(path:)", isClosure: true),
      Named("$s5Forms5DepotV7receive_4fromySi_SStFfA0_SiycfU_", "Depot.receive(_:from:)", isClosure: true),
      Named("$s5Forms5tuple_1cSSSicSi_SS1bt_yyctFSSSicfU_", "tuple(_:c:)", isClosure: true),
      Named("$s6Script3topyySiF6$deferL_yyF", "top(_:)", module: "Script", isClosure: true),
      Named("$s6ScriptyyXEfU_", "main", module: "Script", isClosure: true),
    ])
  }

  @Test func localFunctionsKnowTheFunctionAroundThem() throws {
    try check([
      Named("$s5Forms5DepotV5outeryyF5innerL_yySiF", "inner(_:)", in: "Depot.outer()"),
      Named(
        "$s5Forms5DepotV5outeryyF5innerL_yySiFyyXEfU_", "inner(_:)", isClosure: true, in: "Depot.outer()"),
      Named("$s5Forms5DepotV5outeryyF6inner2L_yyF4deepL_yyF", "deep()", in: "Depot.outer()"),
      Named("$s5Forms3HasV1f1xySi_tFAEL_Sivg", "x", in: "Has.f(x:)"),
      Named("$s6Script3topyySiF5LocalL_V2goyyF", "Local.go()", module: "Script", in: "top(_:)"),
    ])
  }

  @Test func allPartsOfAnAsyncFunctionAreThatFunction() throws {
    try check([
      Named("$s5Forms5DepotV6lookupSiyYaKF", "Depot.lookup()"),
      Named("$s5Forms5DepotV6lookupSiyYaKFTQ2_", "Depot.lookup()"),
      Named("$s5Forms5DepotV6lookupSiyYaKFTY3_", "Depot.lookup()"),
      Named("$s5Forms5DepotV6lookupSiyYaKFSiyYaYbXEfU_TQ0_", "Depot.lookup()", isClosure: true),
      Named("$s5Forms4BankC4slowyyYaFTY1_", "Bank.slow()"),
      Named(
        "$s5Forms4MainV4mainyyYaKFZyScgySis5Error_pGzYaKXEfU3_SiyYacfU_TY2_", "Main.main()", isClosure: true),
    ])
  }

  @Test func initialisersAndTheirEndsAreCalledAsInTheSource() throws {
    try check([
      Named("$s5Forms5DepotV4pathACSS_tKcfC", "Depot.init(path:)"),
      Named("$s5Forms5DepotV_2ofACSgSi_SitcfC", "Depot.init(_:of:)"),
      Named("$s5Forms7JournalCyACSicfC", "Journal.init(_:)"),
      Named("$s5Forms7JournalCyACSicfc", "Journal.init(_:)"),
      Named("$s5Forms7JournalCfD", "Journal.deinit"), Named("$s5Forms7JournalCfd", "Journal.deinit"),
      Named("$s5Forms4ViewCfZ", "View.deinit"),
    ])
  }

  @Test func accessorsAndInitialValuesAreTheirProperty() throws {
    try check([
      Named("$s5Forms5DepotV5totalSivg", "Depot.total"), Named("$s5Forms5DepotV5totalSivs", "Depot.total"),
      Named("$s5Forms5DepotV5totalSivM", "Depot.total"), Named("$s5Forms5DepotV5totalSivW", "Depot.total"),
      Named("$s5Forms5DepotV5totalSivw", "Depot.total"), Named("$s5Forms5DepotV5totalSivpfi", "Depot.total"),
      Named("$s5Forms5DepotV6viewedSivr", "Depot.viewed"),
      Named("$s5Forms5DepotVyS2icig", "Depot.subscript(_:)"),
      Named("$s5Forms5DepotVyS2iciM.resume.0", "Depot.subscript(_:)"),
      Named("$s5Forms5DepotV5namedSiSS_tcig", "Depot.subscript(named:)"),
      Named("$s5Forms5DepotV4slowSivgSiyXEfU_", "Depot.slow", isClosure: true),
      Named(
        "$s5Forms5DepotV22$__lazy_storage_$_slow33_6AAF931DB128E009BE343B571FE46A4ELLSiSgvpfi", "Depot.slow"),
      Named("$s5Forms5DepotV4path_WZ", "Depot.path"),
      Named("$s5Forms5DepotV4pathSSvpZfiSSyXEfU_", "Depot.path", isClosure: true),
      Named("$s5Forms5DepotV6sharedACvau", "Depot.shared"),
      Named("$s5Forms3HasV1aSivpfP", "Has.a"), Named("$s5Forms3HasV1aSivpfF", "Has.a"),
      Named("$s5Forms6global_WZ", "global"),
      Named("$s5Forms6globalSivpfiSiyXEfU_", "global", isClosure: true),
      Named("$s11ReportStory0B0V7mostOdd_0C5Alike_WZ", "Story.(mostOdd, mostAlike)", module: "ReportStory"),
      Named("$s5Forms5DepotV7receive_4fromySi_SStFfA0_", "Depot.receive(_:from:)"),
    ])
  }

  @Test func specialisationsAreTheirFunction() throws {
    try check([
      Named("$s5Forms5DepotV5outeryyFTf4d_n", "Depot.outer()"),
      Named("$s5Forms4MainV4mainyyYaKFZTf4d_nTQ16_", "Main.main()"),
    ])
  }

  @Test func whatTheCompilerMadeHasNoName() throws {
    try check(
      [
        // Forwarders of partial application, protocol witnesses, reabstraction thunks, outlined copies.
        "$s5Forms5DepotV7receiveyySiFyyXEfU_TA", "$s5Forms5DepotV6lookupSiyYaKFSiyYaYbXEfU_TATQ0_",
        "$s5Forms5DepotVAA5StoreA2aDP3putyySiFTW", "$sSis5Error_pIgdzo_SisAA_pIegrzo_TR",
        "$s5Forms5DepotV5totalSivpACTK", "$s5Forms5DepotVMa", "$s5Forms7JournalCSgWOh",
        // What `@Test` adds.
        "$s10HouseTests010ProvenanceB0V04$s10a8Tests010C86B0V021theSQLiteOfThePagesIsg7OneThatI9Described4TestfMp_24accessor86a14891d2ee05cdfMu_33_6D1BF4170E658D957786E3FFA9EECB34LLySbSv_S2VSgSutXCvpZfiSbSv_SVAFSutcfU_To",
        // No symbol at all.
        "$sNothing", "$s",
      ].map { Named($0, nil) })
  }

  @Test func codeThatFunctionsShareIsNoneOfThem() throws {
    let symbols = ["$s5Forms4BankC4freeyyFTm", "$s5Forms5DepotV5totalSivsTm"]
    for meaning in try Self.meanings(of: symbols) {
      guard case .sharedCode? = meaning else {
        Issue.record("\(String(describing: meaning))")
        continue
      }
    }
  }

  @Test func anExpansionTellsItsLine() throws {
    let file =
      "/tmp/swift-generated-sources/@__swiftmacro_11AttachTests0031ConsistentStoreTestsswift_yFFIifMX17_4_6expectfMf_.swift"
    let symbol = try #require(MacroExpansion.symbol(ofFile: file))
    let expansion = try #require(try Self.meanings(of: [symbol])[0]?.expansion)
    #expect(
      [expansion.module, expansion.file, expansion.name]
        == ["AttachTests", "ConsistentStoreTests.swift", "expect"])
    #expect(expansion.line == 18 && expansion.column == 5)
    #expect(MacroExpansion.symbol(ofFile: "/a/Depot.swift") == nil)
  }

  @Test func functionsOfOneNameAreToldApart() throws {
    let symbols = [
      "$s6Script4overyySSF", "$s6Script4overyySiF", "$s6Script4overyySiFTQ0_", "$s6Script4overyySiFyyXEfU_",
      "$s5Forms7JournalCyACSicfC", "$s5Forms7JournalCyACSicfc", "$s5Forms5DepotV5totalSivg",
      "$s5Forms5DepotV5totalSivs",
    ]
    let keys = try Self.meanings(of: symbols).map { try #require($0?.function?.key) }
    #expect(keys[0] != keys[1])
    #expect(Set(keys[1...3]).count == 1, "parts and closures of one function")
    #expect(keys[4] == keys[5])
    #expect(keys[6] == keys[7])
  }

  @Test(arguments: [
    ("sqlite3_step", "sqlite3_step"), ("walk.constprop.0", "walk"), ("walk.part.1.cold", "walk"),
    ("__libc_start_main@@GLIBC_2.34", "__libc_start_main"), ("async_MainTQ0_", "main"), ("main", "main"),
    ("swift::run(swift::Job*)", "swift::run(swift::Job*)"), ("a.b", "a.b"),
  ])
  func functionsOfCHaveTheirName(symbol: String, name: String) {
    #expect(FunctionName(ofC: symbol).name == PlaceName(module: nil, function: name))
  }

  // MARK: - Odd output

  @Test(arguments: [
    "", "Demangling for $sa", "Demangling for $sb\nkind=Global\n\n", "nonsense\n",
    "Demangling for $sa\nkind=Global\n\nDemangling for $sb\nkind=Global\n\n",
  ])
  func anOutputThatIsNoAnswerIsRefused(output: String) {
    #expect(DemangledTrees.read(Array(output.utf8), of: ["$sa"]) == nil)
  }

  @Test(arguments: [
    "", "<<NULL>>\n", "  kind=Global\n", "kind=Global\n      kind=Function\n", "kind=Global\nkind=Global\n",
    "kind=Global\n  nonsense\n", "kind\n", "kind=\n", String(repeating: "\n", count: 9),
  ])
  func aTreeThatIsNoneIsNoName(tree: String) throws {
    let output = "Demangling for $sa\n\(tree)\nDemangling for $sb\nkind=Global\n  kind=Module, text=\"M\"\n\n"
    let trees = try #require(DemangledTrees.read(Array(output.utf8), of: ["$sa", "$sb"]))
    #expect(trees[0].flatMap { SymbolMeaning($0).function } == nil)
    #expect(trees[1]?.children == [DemangledNode(kind: "Module", text: "M")])
  }

  @Test func aTreeAsDeepAsTheOutputIsLongIsNoName() throws {
    let lines = (0..<20_000).map { String(repeating: "  ", count: min($0, 2000)) + "kind=Type" }
    let output = "Demangling for $sa\n" + lines.joined(separator: "\n") + "\n"
    #expect(try #require(DemangledTrees.read(Array(output.utf8), of: ["$sa"])) == [nil])
  }

  @Test func noCutOfATreeCrashes() throws {
    let whole = """
      kind=Global
        kind=ExplicitClosure
          kind=Function
            kind=Structure
              kind=Module, text="M"
              kind=Identifier, text="Depot"
            kind=Identifier, text="go"
            kind=Type
              kind=FunctionType
                kind=ArgumentTuple
                  kind=Type
                    kind=Tuple
          kind=Number, index=0
      """
    let lines = whole.split(separator: "\n")
    for index in lines.indices {
      for rest in [lines[..<index], lines[..<index] + lines[(index + 1)...]] {
        let output = "Demangling for $sa\n" + rest.joined(separator: "\n") + "\n"
        let name = DemangledTrees.read(Array(output.utf8), of: ["$sa"])?.first
          .flatMap { $0 }.flatMap { SymbolMeaning($0).function?.name.function }
        #expect(name == nil || name == "Depot.go()" || name == "go()" || name == "Depot.main", "\(rest)")
      }
    }
  }
}

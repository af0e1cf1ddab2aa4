import Foundation
import Testing

/// docs/architecture.md says in which order the C files of a target stand; each uses those before it only.
@Suite struct COrderTests {
  private let order: COrder

  init() throws {
    order = try #require(
      COrder(
        document: String(contentsOf: ThisPackage.file("docs/architecture.md"), encoding: .utf8),
        sources: ThisPackage.file("Sources")))
  }

  @Test func noFileUsesALaterOne() throws {
    for violation in try order.violations() { Issue.record("\(violation)") }
  }

  @Test func everyFileIsInTheOrder() throws {
    #expect(order.files.count == Set(order.files).count)
    for file in try order.misplacedFiles() { Issue.record("Sources/\(order.target)/\(file)") }
  }
}

/// What the test of the order finds in a small tree.
@Suite struct COrderFindingTests {
  private let folder: TemporaryFolder
  private let order: COrder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("#pragma once\nint exhibit_low(void);\n", to: "House/Cellar/low.h")
    try folder.write("#include \"low.h\"\n\nint exhibit_low(void) { return 1; }\n", to: "House/Cellar/low.c")
    try folder.write("int exhibit_high(void);\n", to: "House/include/house.h")
    try folder.write(
      "#include \"Cellar/low.h\"\n#include \"house.h\"\nint exhibit_high(void) { return exhibit_low(); }\n_Thread_local int exhibit_count;\n",
      to: "House/high.c")
    order = try #require(
      COrder(
        document: "| target | files |\n|---|---|\n| `House`, C | `Cellar/low`, `high` |\n",
        sources: folder.url))
  }

  @Test func aTreeInOrderHasNone() throws {
    #expect(order.target == "House" && order.files == ["Cellar/low", "high"])
    #expect(try order.violations() == [])
    #expect(try order.misplacedFiles() == [])
  }

  @Test func theHeaderOfALaterFileIsNamedWithFileAndLine() throws {
    try folder.write("", to: "House/high.h")
    try folder.write("#pragma once\n#include \"../high.h\"\n", to: "House/Cellar/low.h")
    #expect(try order.violations() == ["Sources/House/Cellar/low.h:2 uses high.h, which stands later."])
  }

  @Test func whatALaterFileDefinesIsNamedThoughAnotherHeaderDeclaresIt() throws {
    try folder.write(
      "/* exhibit_high\n */\nint exhibit_low(void) { return exhibit_high() + exhibit_count; }\n",
      to: "House/Cellar/low.c")
    #expect(
      try order.violations()
        == Array(
          repeating: "Sources/House/Cellar/low.c:3 uses high.c, which stands later.", count: 2))
  }

  @Test func aFileThatIsNotInTheOrderIsNamed() throws {
    try folder.write("", to: "House/Cellar/shelf.h")
    #expect(try order.misplacedFiles() == ["Cellar/shelf"])
  }
}

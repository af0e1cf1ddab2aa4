import Foundation
import Testing

/// What is committed and was made by a program says what it was made of.
@Suite struct ProvenanceTests {
  @Test func theSQLiteOfThePagesIsTheOneThatIsDescribed() throws {
    let provenance = try String(contentsOf: ThisPackage.file("Viewer/PROVENANCE"), encoding: .utf8)
    let result = try Command(["sha256sum", ThisPackage.file("templates/viewer.wasm").path]).run()
    let sum = try #require(result.output.split(separator: " ").first)
    #expect(provenance.contains("sha256 of viewer.wasm: \(sum)\n"))
    let version = provenance.firstMatch(of: /(?m)^version: (\S+)$/)
    #expect(version != nil)
    for name in ["sqlite3.c", "libclang_rt.builtins-wasm32.a"] {
      #expect(provenance.contains(try Regex("sha256 of \(name): [0-9a-f]{64}\n")), "\(name)")
    }
  }
}

import Foundation
import Testing

/// The name under which the main function of a test executable asks for Swift Testing's entry point.
///
/// These fail where a toolchain calls it otherwise. Then nothing of ours is called, and suites without the trait are
/// not recorded: `Sources/ExhibitStart/entry_point.c` needs the new name.
@Suite struct EntryPointSymbolTests {
  /// Both that of the function and that of what callers of an async function read of it.
  private static func names() throws -> Set<String> {
    let source = try String(
      contentsOf: ThisPackage.file("Sources/ExhibitStart/entry_point.c"), encoding: .utf8)
    let name = String(try #require(source.firstMatch(of: /#define ENTRY_POINT "(.+)"/)).1)
    return [name, name + "Tu"]
  }

  /// The symbols of an executable that `nm` marks with one of the letters.
  private func symbols(_ letters: Set<String>, of package: FixturePackage) async throws -> Set<String> {
    let list = try Command(["nm", try await package.executable().path], separatesErrors: true).run()
    #expect(list.status == 0, "\(list.errors)")
    let lines = list.output.split(separator: "\n").map { $0.split(separator: " ") }
    return Set(
      lines.filter { letters.contains(String($0.dropLast().last ?? "")) }.map { String($0[$0.count - 1]) })
  }

  @Test func aTestExecutableAsksForTheEntryPointByTheNameThatWeKnow() async throws {
    let undefined = try await symbols(["U"], of: .verdictsWithoutAttach)
    #expect(undefined.isSuperset(of: try Self.names()))
  }

  @Test func withAttachItIsDefinedWeakly() async throws {
    let weak = try await symbols(["W", "V"], of: .verdicts)
    #expect(weak.isSuperset(of: try Self.names()))
  }

  @Test(arguments: [
    ["theirs.o", "ours.o"], ["ours.o", "theirs.o"], ["ours.o", "-Wl,-u,other_of_theirs", "theirs.a"],
    ["ours.o"],
  ])
  func aDefinitionInTheExecutableWins(objects: [String]) throws {
    let folder = try TemporaryFolder()
    let name = try #require(Self.names().min { $0.count < $1.count })
    let theirs = try folder.write(Self.theirs, to: "theirs.c")
    let main = try folder.write(Self.main, to: "main.c")
    let start = ThisPackage.file("Sources/ExhibitStart").path
    func clang(_ arguments: String...) throws {
      let run = try Command(["clang", "-fPIE", "-DNAME=\"\(name)\""] + arguments, in: folder.path).run()
      #expect(run.status == 0, "\(run.output)")
    }
    try clang("-c", theirs, "-o", "theirs.o")
    try clang("-c", main, "-o", "main.o")
    try clang("-I", start + "/include", "-c", start + "/entry_point.c", "-o", "ours.o")
    _ = try Command(["ar", "rc", "theirs.a", "theirs.o"], in: folder.path).run()
    let linking = try Command(["clang", "main.o"] + objects + ["-o", "main"], in: folder.path).run()
    #expect(linking.status == 0, "\(linking.output)")
    let answer = try Command([folder.path + "/main"]).run()
    #expect(answer.output == (objects.count > 1 ? "theirs 77\n" : "ours 5\n"))
  }

  /// Stands for a libTesting that is linked into the executable.
  private static let theirs = """
    #include <stdint.h>
    const char *function(void) __asm__(NAME);
    const char *function(void) { return "theirs"; }
    struct { int32_t offset; uint32_t size; } pointer __asm__(NAME "Tu") = {0, 77};
    int other_of_theirs = 1;
    """

  /// Calls the entry point as a generated main function does.
  private static let main = """
    #include <stdint.h>
    #include <stdio.h>
    const char *function(void) __asm__(NAME);
    struct pointer { int32_t offset; uint32_t size; };
    extern struct pointer pointer __asm__(NAME "Tu");
    static const char *our_function(void) { return "ours"; }
    struct pointer ours __asm__("exhibit_run_testsTu") = {0, 5};
    __attribute__((constructor(101))) static void place(void) {
      ours.offset = (int32_t)((intptr_t)our_function - (intptr_t)&ours);
    }
    int main(void) { printf("%s %u\\n", function(), pointer.size); }
    """
}

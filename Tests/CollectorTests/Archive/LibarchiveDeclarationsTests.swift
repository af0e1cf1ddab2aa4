import Foundation
import Testing

/// What is declared here of libarchive is what its headers declare.
@Suite struct LibarchiveDeclarationsTests {
  private static let headers = "/usr/include/archive_entry.h"

  @Test(.enabled(if: FileManager.default.fileExists(atPath: headers), "needs libarchive's headers"))
  func theyAgreeWithItsHeaders() throws {
    let include = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Sources/ExhibitCSystem/include")
    let folder = try TemporaryFolder()
    let source = folder.path + "/both.c"
    // A function of another type, or a constant of another value, is an error of the compiler.
    try #"""
    #include <archive.h>
    #include <archive_entry.h>
    #include "exhibit_libarchive.h"
    """#.write(toFile: source, atomically: true, encoding: .utf8)
    let compiler = Process()
    compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    compiler.arguments = ["clang", "-fsyntax-only", "-Werror", "-I", include.path, source]
    let output = Pipe()
    compiler.standardError = output
    try compiler.run()
    let messages = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    compiler.waitUntilExit()
    #expect(compiler.terminationStatus == 0, "\(messages)")
  }
}

import Foundation
import Testing

/// What is declared here of libarchive is what its headers declare.
@Suite struct LibarchiveDeclarationsTests {
  private static let headers = "/usr/include/archive_entry.h"

  @Test(.enabled(if: FileManager.default.fileExists(atPath: headers), "needs libarchive's headers"))
  func theyAgreeWithItsHeaders() throws {
    let include = ThisPackage.file("Sources/ExhibitCSystem/include")
    let folder = try TemporaryFolder()
    let source = folder.path + "/both.c"
    // A function of another type, or a constant of another value, is an error of the compiler.
    try #"""
    #include <archive.h>
    #include <archive_entry.h>
    #include "exhibit_libarchive.h"
    """#.write(toFile: source, atomically: true, encoding: .utf8)
    let compiler = try run("clang", "-fsyntax-only", "-Werror", "-I", include.path, source)
    #expect(compiler.status == 0, "\(compiler.output)")
  }
}

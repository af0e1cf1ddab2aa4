import Foundation
import Testing

/// What is declared here of libpq is what its header declares.
@Suite struct LibpqDeclarationsTests {
  private static let header = "/usr/include/postgresql/libpq-fe.h"

  @Test(.enabled(if: FileManager.default.fileExists(atPath: header), "needs libpq's header"))
  func theyAgreeWithItsHeader() throws {
    let folder = try TemporaryFolder()
    // A function of another type, or a constant of another value, is an error of the compiler.
    let source = try folder.write(
      #"""
      #include <libpq-fe.h>
      #include <postgres_ext.h>
      #include "exhibit_libpq.h"
      _Static_assert(EXHIBIT_PQ_CONNECTION_BAD == CONNECTION_BAD, "");
      _Static_assert(EXHIBIT_PQ_POLLING_FAILED == PGRES_POLLING_FAILED, "");
      _Static_assert(EXHIBIT_PQ_POLLING_READING == PGRES_POLLING_READING, "");
      _Static_assert(EXHIBIT_PQ_POLLING_OK == PGRES_POLLING_OK, "");
      _Static_assert(EXHIBIT_PQ_COMMAND_OK == PGRES_COMMAND_OK, "");
      _Static_assert(EXHIBIT_PQ_TUPLES_OK == PGRES_TUPLES_OK, "");
      _Static_assert(EXHIBIT_PQ_SINGLE_TUPLE == PGRES_SINGLE_TUPLE, "");
      _Static_assert(EXHIBIT_PQ_FIELD_STATE == PG_DIAG_SQLSTATE, "");
      _Static_assert(EXHIBIT_PQ_FIELD_MESSAGE == PG_DIAG_MESSAGE_PRIMARY, "");
      """#, to: "both.c")
    let compiler = try run(
      "clang", "-fsyntax-only", "-Werror", "-I", "/usr/include/postgresql", "-I",
      ThisPackage.file("Sources/ExhibitCSystem/include").path, source)
    #expect(compiler.status == 0, "\(compiler.output)")
  }
}

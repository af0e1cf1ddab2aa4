import Foundation

/// SQLite as a static library, for apps that do not use the system's shared one.
enum StaticSQLite {
  private static let folder = try? TemporaryFolder()

  /// As the system has it; `nil` where it has none.
  static let path: String? = {
    guard let found = try? output(["clang", "-print-file-name=libsqlite3.a"]), found.hasPrefix("/") else {
      return nil
    }
    return found
  }()

  /// The same with `second_` before every name, so that it is another copy beside the shared library.
  static let renamed: String? = {
    guard let path, let folder, let symbols = try? output(["nm", "--defined-only", "-g", path]) else {
      return nil
    }
    let names = symbols.split(separator: "\n").map { $0.split(separator: " ") }.filter { $0.count == 3 }
    let renames = names.map { "\($0[2]) second_\($0[2])\n" }.joined()
    let (list, library) = (folder.path + "/names", folder.path + "/libsecond.a")
    do {
      try Data(renames.utf8).write(to: URL(fileURLWithPath: list))
      _ = try output(["objcopy", "--redefine-syms=\(list)", path, library])
      return library
    } catch {
      return nil
    }
  }()

  /// Has a program built of these sources say which function comes from another SQLite than its connections.
  ///
  /// - Parameter missing: The function that the static SQLite lacks, so that the shared one's is taken.
  static func foreignFunction(missing: String?) throws -> String {
    guard let path else { throw CocoaError(.fileNoSuchFile) }
    let folder = try TemporaryFolder()
    let (library, source, program) = (
      folder.path + "/libown.a", folder.path + "/main.c", folder.path + "/main"
    )
    let rename = missing.map { ["--redefine-sym", "\($0)=gone"] } ?? []
    _ = try output(["objcopy"] + rename + [path, library])
    try Data(Self.program.utf8).write(to: URL(fileURLWithPath: source))
    let start = ThisPackage.file("Sources/ExhibitStart").path
    _ = try output([
      "clang", "-fPIE", "-I", start + "/include", "-I", start, source, start + "/images.c",
      "-Wl,--whole-archive",
      library, "-Wl,--no-whole-archive", "-lsqlite3", "-lm", "-o", program,
    ])
    return try output([program])
  }

  private static let program = """
    #include <stdio.h>
    #include "exhibit_start.h"
    int exhibit_is_interposed(void) { return 0; }
    int main(void) { const char *name = exhibit_foreign_function(); puts(name ? name : "none"); }
    """

  private static func output(_ arguments: [String]) throws -> String {
    let result = try Command(arguments, separatesErrors: true).run()
    guard result.status == 0 else { throw CocoaError(.executableLoad) }
    return result.output.trimmingCharacters(in: .whitespacesAndNewlines)
  }
}

import Foundation

/// SQLite as a static library, for apps that do not use the system's shared one.
enum StaticSQLite {
  private static let folder = try? TemporaryFolder()

  /// As the system has it; `nil` where it has none.
  static let path: String? = {
    guard let found = try? output("clang", "-print-file-name=libsqlite3.a"), found.hasPrefix("/") else {
      return nil
    }
    return found
  }()

  /// The same with `second_` before every name, so that it is another copy beside the shared library.
  static let renamed: String? = {
    guard let path, let folder, let symbols = try? output("nm", "--defined-only", "-g", path) else {
      return nil
    }
    let names = symbols.split(separator: "\n").map { $0.split(separator: " ") }.filter { $0.count == 3 }
    let renames = names.map { "\($0[2]) second_\($0[2])\n" }.joined()
    let (list, library) = (folder.path + "/names", folder.path + "/libsecond.a")
    do {
      try Data(renames.utf8).write(to: URL(fileURLWithPath: list))
      _ = try output("objcopy", "--redefine-syms=\(list)", path, library)
      return library
    } catch {
      return nil
    }
  }()

  private static func output(_ arguments: String...) throws -> String {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
    return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }
}

import Foundation

/// Tests/Fixtures/Faults, built once: preloaded, it makes calls on files below a folder fail.
enum FaultLibrary {
  private static let folder = try? TemporaryFolder()

  static let path: String? = {
    guard let folder else { return nil }
    let library = folder.path + "/faults.so"
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    let source = Repository.folder.appendingPathComponent("Tests/Fixtures/Faults/faults.c").path
    process.arguments = ["clang", "-shared", "-fPIC", "-o", library, source, "-ldl"]
    guard (try? process.run()) != nil else { return nil }
    process.waitUntilExit()
    return process.terminationStatus == 0 ? library : nil
  }()

  /// The environment in which the `number`-th call of a kind fails, or none with 0.
  static func environment(_ kind: String, _ number: Int, stays: Bool, below folder: String) -> [String:
    String]
  {
    [
      "LD_PRELOAD": path ?? "", "FAULT": "\(kind) \(number) \(stays ? "good" : "once")",
      "FAULT_BELOW": folder,
      "FAULT_COUNT": folder + ".calls",
    ]
  }

  /// How many calls there were in a process that has ended; removes the note of it.
  static func calls(below folder: String) throws -> Int {
    let file = folder + ".calls"
    defer { try? FileManager.default.removeItem(atPath: file) }
    return Int(try String(contentsOfFile: file, encoding: .utf8)) ?? 0
  }
}

import Foundation

/// Tests/Fixtures/Faults, built once: preloaded, it makes calls on files fail, change something or kill.
package enum FaultLibrary {
  private static let folder = try? TemporaryFolder()

  /// The library; `nil` where clang is missing or cannot build it.
  package static let path: String? = {
    let source = ThisPackage.file("Tests/Fixtures/Faults/faults.c").path
    guard let library = folder?("faults.so"),
      let built = try? run("clang", "-shared", "-fPIC", "-o", library, source, "-ldl"), built.status == 0
    else { return nil }
    return library
  }()

  /// The environment in which the `number`-th call of a kind below a folder fails, or none with 0.
  package static func environment(_ kind: String, _ number: Int, stays: Bool, below folder: String)
    -> [String: String]
  {
    [
      "LD_PRELOAD": path ?? "", "FAULT": "\(kind) \(number) \(stays ? "good" : "once")",
      "FAULT_BELOW": folder, "FAULT_COUNT": folder + ".calls",
    ]
  }

  /// How many calls there were in a process that has ended; removes the note of it.
  package static func calls(below folder: String) throws -> Int {
    let file = folder + ".calls"
    // Another call writes it anew.
    defer { try? FileManager.default.removeItem(atPath: file) }
    return Int(try String(contentsOfFile: file, encoding: .utf8)) ?? 0
  }
}

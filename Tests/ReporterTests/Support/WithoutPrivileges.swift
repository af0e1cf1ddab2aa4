import Foundation

extension ReporterProcess {
  /// Runs it as a user whom the modes of files bind: of root it takes what root may do in spite of them.
  static func runWithoutPrivileges(_ arguments: [String], in folder: String) throws -> ReporterProcess {
    guard getuid() == 0 else { return try run(arguments, in: folder) }
    let without = "-dac_override,-dac_read_search"
    let dropping = ["--bounding-set=\(without)", "--inh-caps=\(without)", try executable.path]
    return try run(dropping + arguments, in: folder, program: URL(fileURLWithPath: "/usr/bin/setpriv"))
  }

  /// Runs it with so few file descriptors that opening fails sooner or later.
  static func run(_ arguments: [String], in folder: String, descriptors: Int) throws -> ReporterProcess {
    let limited = ["-c", "ulimit -n \(descriptors); exec \"$0\" \"$@\"", try executable.path]
    return try run(limited + arguments, in: folder, program: URL(fileURLWithPath: "/bin/sh"))
  }
}

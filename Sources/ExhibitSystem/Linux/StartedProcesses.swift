import Glibc

/// The running processes of this user that were started with a variable of this value, as their children are too.
///
/// The system tells it in `/proc/PID/environ`, see proc(5); a process that changes its own keeps what it was started with.
///
/// - Throws: `SystemError` where the processes cannot be listed.
package func processes(startedWith variable: String, _ value: String) throws(SystemError) -> [Int32] {
  let wanted = Array("\(variable)=\(value)\0".utf8)
  return try otherProcesses().filter { pid in
    guard let environment = environment(of: pid) else { return false }
    return environment.starts(with: wanted) || environment.contains([0] + wanted)
  }
}

/// A process, of this user, that has a file open: its name and number; `nil` where there is none.
///
/// It is the same file also under another name.
///
/// - Throws: `SystemError` where the file or the processes cannot be looked at; a file that is not there is open nowhere.
package func process(havingOpen path: String) throws(SystemError) -> String? {
  var wanted = stat()
  guard stat(path, &wanted) == 0 else {
    if errno == ENOENT { return nil }
    throw SystemError("look at", path)
  }
  for pid in try otherProcesses() {
    // Another user's, and one that has ended, have nothing to show.
    for descriptor in (try? FileSystem.entries(of: "/proc/\(pid)/fd")) ?? [] {
      var found = stat()
      guard stat("/proc/\(pid)/fd/\(descriptor)", &found) == 0, found.st_dev == wanted.st_dev,
        found.st_ino == wanted.st_ino
      else { continue }
      let name = (readSystemFile("/proc/\(pid)/comm") ?? "").split(separator: "\n").first ?? ""
      return "\(name) \(pid)"
    }
  }
  return nil
}

private func otherProcesses() throws(SystemError) -> [Int32] {
  try FileSystem.entries(of: "/proc").compactMap { Int32($0) }.filter { $0 != getpid() }
}

/// - Returns: `nil` for one that has ended, and another user's.
private func environment(of pid: Int32) -> [UInt8]? {
  let file = open("/proc/\(pid)/environ", O_RDONLY | O_CLOEXEC)
  guard file >= 0 else { return nil }
  defer { close(file) }
  var bytes: [UInt8] = []
  while bytes.count < 1 << 22 {
    let part = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
      count = max(0, read(file, buffer.baseAddress, buffer.count))
    }
    if part.isEmpty { break }
    bytes += part
  }
  return bytes
}

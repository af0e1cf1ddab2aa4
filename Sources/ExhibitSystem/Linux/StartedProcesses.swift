import Glibc

/// The running processes of this user whose environment has a variable with this value, without this process.
///
/// `/proc/PID/environ` has what a process was started with, not its later changes (proc(5)).
///
/// - Throws: `SystemError` when the processes cannot be listed.
package func processes(startedWith variable: String, _ value: String) throws(SystemError) -> [Int32] {
  let wanted = Array("\(variable)=\(value)\0".utf8)
  return try otherProcesses().filter { pid in
    guard let environment = environment(of: pid) else { return false }
    return environment.starts(with: wanted) || environment.contains([0] + wanted)
  }
}

/// The name and number of a process of this user that has a file open; `nil` when there is none.
package func process(havingOpen path: String) throws(SystemError) -> String? {
  var wanted = stat()
  guard stat(path, &wanted) == 0 else {
    if errno == ENOENT { return nil }
    throw SystemError("look at", path)
  }
  for pid in try otherProcesses() {
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

/// `nil` for other users' and ended processes.
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

import Collector
import ExhibitSystem
import Foundation
import Glibc

/// Called by ExhibitStart in a helper process, before `main`: answers on standard output.
@c(exhibit_help) func help(_ request: UnsafePointer<CChar>?) {
  guard let request else { return }
  do {
    let request = try JSONDecoder().decode(HelperRequest.self, from: Data(String(cString: request).utf8))
    let answer = try JSONEncoder().encode(request.capture(image: .ownConnections))
    try FileSystem.write(Array(answer), to: STDOUT_FILENO, path: "standard output")
  } catch {
    // Without an answer the test process says that there was none.
    return
  }
}

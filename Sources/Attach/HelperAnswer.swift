import Collector
import ExhibitSystem
import Foundation

/// Answers a request on standard output; ExhibitStart calls it in a helper process before `main`.
@_cdecl("exhibit_help") func help(_ request: UnsafePointer<CChar>?) {
  guard let request else { return }
  do {
    let request = try JSONDecoder().decode(HelperRequest.self, from: Data(String(cString: request).utf8))
    let answer = try JSONEncoder().encode(request.capture(image: .ownConnections))
    try FileSystem.write(Array(answer), to: STDOUT_FILENO, path: "standard output")
  } catch {
    return
  }
}

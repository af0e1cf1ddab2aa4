package import Foundation

/// Exhibit itself on disk: its checkout, and what was built together with these tests.
package enum ThisPackage {
  /// The checkout.
  package static let folder = (0..<3).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
    url.deletingLastPathComponent()
  }

  /// A file or folder of the checkout.
  package static func file(_ path: String) -> URL { folder.appendingPathComponent(path) }

  /// The Python that ci/setup made, or the machine's own.
  package static var python: String {
    let own = file(".build/python/bin/python3").path
    return FileManager.default.isExecutableFile(atPath: own) ? own : "python3"
  }

  /// The path of a program, which SwiftPM builds beside the test bundle.
  package static func program(_ name: String) throws -> String {
    let bundle = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return URL(fileURLWithPath: bundle).deletingLastPathComponent().appendingPathComponent(name).path
  }
}

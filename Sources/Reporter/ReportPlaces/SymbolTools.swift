import ExhibitSystem
import Glibc
import ReportModel

/// The toolchain's programs that name addresses.
package struct SymbolTools: Sendable, Equatable {
  package var symbolizer: String
  package var demangler: String

  package struct Missing: Error, Equatable, CustomStringConvertible {
    package var program: String

    package var description: String {
      "\(program) lies neither beside swift nor in a folder of PATH; addresses have no names."
    }
  }

}

extension SymbolTools {
  /// Finds the programs beside `swift`, following links, or in `PATH`.
  package init(environment: [String: String]) throws(Missing) {
    let folders = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
    func path(_ name: String, in folders: [String]) -> String? {
      folders.lazy.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }
    let swift = path("swift", in: folders).flatMap(realPath)
    let beside = swift.flatMap(FileSystem.parentFolder(of:)).map { [$0] } ?? []
    func found(_ name: String) throws(Missing) -> String {
      guard let path = path(name, in: beside + folders) else { throw Missing(program: name) }
      return path
    }
    try self.init(symbolizer: found("llvm-symbolizer"), demangler: found("swift-demangle"))
  }
}

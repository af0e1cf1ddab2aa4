import ArgumentParser

/// A size on the command line: `8000000`, `500kB`, `48MiB`.
struct ByteSize: ExpressibleByArgument, Sendable, Equatable {
  var bytes: Int

  /// - Returns: `nil` for a text that is no size, or a size that no machine has.
  init?(argument: String) {
    let digits = argument.prefix { $0.isASCII && $0.isNumber }
    guard let number = Int(digits), let unit = Self.units[argument.dropFirst(digits.count).lowercased()]
    else { return nil }
    let (bytes, isTooLarge) = number.multipliedReportingOverflow(by: unit)
    if isTooLarge { return nil }
    self.bytes = bytes
  }

  private static let units = [
    "": 1, "b": 1, "kb": 1000, "mb": 1_000_000, "gb": 1_000_000_000, "kib": 1 << 10, "mib": 1 << 20,
    "gib": 1 << 30,
  ]
}

import Foundation

/// A process that may open few files more, until `giveBack`.
struct DescriptorLimit {
  private let usual: rlimit

  struct Refused: Error {}

  init(free: Int) throws {
    var limit = rlimit()
    getrlimit(Self.resource, &limit)
    usual = limit
    let next = open("/dev/null", O_RDONLY)
    guard next >= 0 else { throw Refused() }
    close(next)
    limit.rlim_cur = rlim_t(Int(next) + free)
    guard setrlimit(Self.resource, &limit) == 0 else { throw Refused() }
  }

  private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)

  /// Opens files until the system refuses.
  func takeAll() -> [Int32] {
    var taken: [Int32] = []
    while case let descriptor = open("/dev/null", O_RDONLY), descriptor >= 0 { taken.append(descriptor) }
    return taken
  }

  func giveBack(_ taken: [Int32]) {
    taken.forEach { close($0) }
    var limit = usual
    setrlimit(Self.resource, &limit)
  }
}

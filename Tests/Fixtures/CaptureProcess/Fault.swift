import Foundation

/// A call that fails, by the preloaded library of Tests/Fixtures/Faults.
struct Fault {
  private typealias Arm = @convention(c) (UnsafePointer<CChar>?, Int32, Int32) -> Void
  private typealias Disarm = @convention(c) () -> Int32

  private let kind: UnsafeMutablePointer<CChar>?
  private let number: Int32
  private let mode: Int32
  private let armFunction: Arm
  private let disarmFunction: Disarm

  /// - Parameter mode: `once`, `good` for from then on, or `change` for a file that changes before the call.
  init(kind: String, at number: String, mode: String) throws {
    guard let arm = dlsym(nil, "fault_arm"), let disarm = dlsym(nil, "fault_disarm") else {
      throw CocoaError(.executableNotLoadable)
    }
    // Read by the library until the process ends.
    self.kind = strdup(kind)
    self.number = Int32(number) ?? 0
    self.mode = ["once": 0, "good": 1, "change": 3][mode] ?? 0
    armFunction = unsafeBitCast(arm, to: Arm.self)
    disarmFunction = unsafeBitCast(disarm, to: Disarm.self)
  }

  func arm() { armFunction(kind, number, mode) }
  func disarm() -> Int { Int(disarmFunction()) }
}

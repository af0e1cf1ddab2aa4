import ExhibitCSystem
package import Glibc

/// A thread with its own descriptor table, for files that this process may have locked.
///
/// A POSIX lock ends when any descriptor of the file is closed in the same table (close(2), fcntl(2)). A close in
/// this table ends no lock of the process. Only one caller at a time may use it.
package final class SeparateDescriptors {
  private let work: Monitor<Work>
  private let thread: WorkerThread

  package enum Call {
    case open(UnsafePointer<CChar>, flags: Int32)
    case status(Int32, UnsafeMutablePointer<stat>)
    case read(Int32, UnsafeMutableRawBufferPointer, at: Int)
    case close(Int32)
  }

  private enum Work {
    case starting, refused, idle, ended
    case asked(Call)
    case answered(Int)
  }

  /// - Throws: `SystemError` when no more threads or descriptor tables may be made.
  package init() throws {
    let work = Monitor(Work.starting)
    self.work = work
    thread = try WorkerThread { Self.serve(work) }
    let isReady = work.wait { state in
      switch state {
      case .starting: nil as Bool?
      case .refused: false
      case .idle, .asked, .answered, .ended: true
      }
    }
    guard isReady else { throw SystemError("separate", "the descriptors of a thread", code: EPERM) }
  }

  deinit {
    work.change { $0 = .ended }
  }

  /// Runs a call on the thread; returns its result, or the negative `errno`.
  package func run(_ call: Call) -> Int {
    work.change { $0 = .asked(call) }
    let answer = work.wait { if case .answered(let answer) = $0 { answer } else { nil as Int? } }
    work.withLock { $0 = .idle }
    return answer
  }

  // MARK: - On the thread

  private static func serve(_ work: Monitor<Work>) {
    let isSeparate = exhibit_separate_descriptors()
    work.change { $0 = isSeparate ? .idle : .refused }
    while isSeparate, let call = next(work) {
      let answer = answer(call)
      work.change { $0 = .answered(answer) }
    }
  }

  private static func next(_ work: Monitor<Work>) -> Call? {
    work.wait { state -> Call?? in
      switch state {
      case .asked(let call): .some(.some(call))
      case .ended: .some(.none)
      case .starting, .refused, .idle, .answered: .none
      }
    }
  }

  private static func answer(_ call: Call) -> Int {
    switch call {
    case .open(let path, let flags):
      return Int(exhibit_separate_open(path, flags))
    case .status(let descriptor, let status):
      return Int(exhibit_separate_status(descriptor, status))
    case .read(let descriptor, let buffer, let offset):
      guard let start = buffer.baseAddress else { return 0 }
      return exhibit_separate_read(descriptor, start, buffer.count, Int64(offset))
    case .close(let descriptor):
      exhibit_separate_close(descriptor)
      return 0
    }
  }
}

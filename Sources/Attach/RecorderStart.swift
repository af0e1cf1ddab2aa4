import ExhibitStart
import XCTest

/// Called by ExhibitStart's constructor before `main`, in every process in which tests may run.
@c(exhibit_started) func start() {
  guard let recorder = Recorder.start() else { return }
  mainThread = pthread_self()
  exhibit_take_entry_point()
  XCTestObservationCenter.shared.addTestObserver(XCTestRecorder(recorder: recorder))
  // Both test libraries end the process by `exit`.
  atexit { Recorder.process?.finishProcess() }
}

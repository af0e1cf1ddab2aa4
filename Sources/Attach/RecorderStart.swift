import ExhibitStart
import XCTest

/// Starts the recorder; ExhibitStart's constructor calls it before `main` where tests may run.
@_cdecl("exhibit_started") func start() {
  guard let recorder = Recorder.start() else { return }
  mainThread = pthread_self()
  exhibit_take_entry_point()
  XCTestObservationCenter.shared.addTestObserver(XCTestRecorder(recorder: recorder))
  atexit { Recorder.process?.finishProcess() }
}

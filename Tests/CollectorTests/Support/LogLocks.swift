import Collector
import Glibc

/// Waits a while for the end of a lock that is given up: a process that another test starts holds it too until it runs
/// its program.
func waitForUnlocking(of path: String) {
  let deadline = ContinuousClock.now + .seconds(20)
  while LogFile.isLocked(path), ContinuousClock.now < deadline { usleep(10_000) }
}

import Collector
import ExhibitStart
import ExhibitSystem
import Glibc

/// Writes a failing test's steps out of the ring, at the failure and at the test's end.
struct StoryEvidence: Sendable {
  let recorder: Recorder
  let scope: TestScope

  private var record: EvidenceRecord { EvidenceRecord(recorder: recorder, scope: scope) }

  private func subject(_ name: String = "story.jsonl") -> EvidenceSubject {
    EvidenceSubject(kind: .story, name: name)
  }

  func write(_ open: OpenDatabases?) {
    guard let (steps, damage) = steps() else { return }
    if let damage { fail(damage) }
    guard !steps.steps.isEmpty else {
      if let reason = steps.cleared { record.fail(subject(), .missing, reason) }
      return
    }
    var lines = StoryLines()
    let databases = databases(open)
    begin(&lines, steps, databases)
    lines.add(steps)
    let (bytes, end) = (lines.bytes, lines.end)
    record.add(subject(), bytes: bytes.count) { place in
      let path = place.folder + "/" + place.name
      try FileSystem.writeNewFile(path, bytes)
      let evidence = place.evidence(subject(place.name), bytes: bytes.count)
      scope.state.withLock {
        $0.story = WrittenStory(
          path: path, run: place.run, evidence: evidence, end: end, missing: steps.missing,
          steps: steps.steps.count,
          databases: databases, isDamageTold: damage != nil)
      }
      return [evidence]
    }
    if scope.state.withLock({ $0.story != nil }) { _ = scope.atEnd { finish() } }
  }

  /// Adds what came after the failure; on an error the earlier story stays.
  private func finish() {
    guard let written = scope.state.withLock({ $0.story }), let (steps, damage) = steps() else { return }
    if let damage, !written.isDamageTold { fail(damage) }
    // The ring's beginning may be overwritten by now, or cleared where another test has excluded tables.
    let hasExcluded = scope.state.withLock { !$0.exclusions.tables.isEmpty }
    let isWhole = steps.missing <= written.missing && (hasExcluded || steps.steps.count >= written.steps)
    var lines = StoryLines(after: isWhole ? StoryLines.End() : written.end)
    if isWhole {
      begin(&lines, steps, databases(nil).filter { !written.databases.contains($0) } + written.databases)
    }
    lines.add(steps)
    lines.finish()
    let bytes = lines.bytes
    let growth = isWhole ? bytes.count - written.evidence.bytes : bytes.count
    if growth > 0, let objection = recorder.settings.budget.objection(to: growth, in: written.run) {
      return record.fail(subject("the end of story.jsonl"), .overBudget, objection, bytes: growth)
    }
    var evidence = written.evidence
    do throws(SystemError) {
      if isWhole { try replace(written.path, by: bytes) } else { try append(bytes, to: written.path) }
      evidence.bytes = isWhole ? bytes.count : written.evidence.bytes + bytes.count
      EvidenceTally(run: written.run).add(evidence.bytes - written.evidence.bytes)
      recorder.output.log(evidence, test: scope.id)
    } catch {
      record.fail(subject(), error)
    }
  }

  private func replace(_ path: String, by bytes: [UInt8]) throws(SystemError) {
    let new = path + ".new"
    do throws(SystemError) {
      try FileSystem.writeNewFile(new, bytes)
      guard rename(new, path) == 0 else { throw SystemError("replace", path) }
    } catch {
      unlink(new)
      throw error
    }
  }

  private func append(_ bytes: [UInt8], to path: String) throws(SystemError) {
    let descriptor = open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { throw SystemError("open", path) }
    defer { close(descriptor) }
    try FileSystem.write(bytes, to: descriptor, path: path)
  }

  private func begin(_ lines: inout StoryLines, _ steps: TestSteps, _ databases: [RecordedStory.Database]) {
    lines.begin(
      scope.id, missing: steps.missing,
      withoutChanges: exhibit_trace_lacks_changes().map { String(cString: $0) })
    let numbers = Set(steps.steps.map(\.connection))
    lines.add(
      databases.filter { numbers.contains($0.connection) }
        .sorted {
          ($0.connection, $0.schema == "main" ? 0 : 1) < ($1.connection, $1.schema == "main" ? 0 : 1)
        })
  }

  private func databases(_ open: OpenDatabases?) -> [RecordedStory.Database] {
    var databases = (open?.all ?? []).flatMap { database in
      database.uses.map { use in
        RecordedStory.Database(connection: use.connection.number, schema: use.schema, path: database.path)
      }
    }
    let opened = scope.state.withLock { $0.opened }.map { ($0.connection, $0.path) }
    for (number, path) in recorder.connections.all.map({ ($0.number, $0.path) }) + opened
    where !databases.contains(where: { $0.connection == number && $0.schema == "main" }) {
      databases.append(RecordedStory.Database(connection: number, path: path))
    }
    return databases
  }

  private func fail(_ damage: TraceDamage) {
    record.fail(
      subject("a part of story.jsonl"), .io,
      "Somebody else has written into the trace of this process. \(damage.sentence)")
  }

  private func steps() -> (steps: TestSteps, damage: TraceDamage?)? {
    var image: UnsafeMutableRawPointer?
    let count = exhibit_trace_copy(&image)
    guard count > 0, let image else { return nil }
    defer { free(image) }
    let (wanted, start) = stepsInRing()
    do throws(TraceImage.Fault) {
      let trace = try TraceImage(UnsafeRawBufferPointer(start: image, count: count), from: start)
      return (TestSteps(of: wanted, in: trace), trace.damage)
    } catch {
      record.fail(subject(), .io, "The trace of this process cannot be read. \(error)")
      return nil
    }
  }

  private func stepsInRing() -> (subject: TestSteps.Subject, start: UInt64) {
    let connections = StoryConnections(
      of: scope, among: recorder.connections.all, isAlone: recorder.tests.isAlone(scope))
    var subject = TestSteps.Subject(
      test: scope.serial, ownConnections: Set(connections.own), sharedConnections: Set(connections.shared),
      stepsBefore: scope.stepsBefore)
    let running = TestSerials(recorder.tests.all.map(\.serial))
    for case .test(let serial, let id) in recorder.connections.all.map(\.opener)
    where serial != scope.serial && !running.contains(serial) {
      subject.ended[serial] = id
    }
    return (subject, connections.start)
  }
}

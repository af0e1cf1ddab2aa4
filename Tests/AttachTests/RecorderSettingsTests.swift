import Collector
import Testing

@testable import Attach

/// What may be captured without being named: databases of the package and of temporary folders.
@Suite struct RecorderSettingsTests {
  @Test func databasesOutsideThePackageNeedToBeRegistered() {
    let settings = RecorderSettings { name in name == "TMPDIR" ? "/scratch/tmp/" : nil }
    #expect(settings.mayCapture(settings.packageFolder + "/data/app.sqlite"))
    #expect(settings.mayCapture("/tmp/app.sqlite"))
    #expect(settings.mayCapture("/scratch/tmp/app.sqlite"))
    #expect(!settings.mayCapture("/srv/production.sqlite"))
    #expect(!settings.mayCapture("/tmpfoo/app.sqlite"))
  }

  @Test func variablesThatAreNoNumbersAreNamed() {
    let settings = RecorderSettings { name in
      ["EXHIBIT_MAX_DATABASE": "5 MiB", "EXHIBIT_MAX_RUN": "much", "EXHIBIT_MIN_FREE": "0"][name]
    }
    #expect(settings.budget.database == 5 << 20)
    #expect(settings.budget.freeDisk == 0)
    #expect(settings.unreadable == ["EXHIBIT_MAX_RUN"])
  }

  @Test func passesAreRecordedOnlyWhereThatIsAskedFor() {
    func settings(_ word: String?) -> RecorderSettings {
      RecorderSettings { ["EXHIBIT_RECORD_PASSES": word, "EXHIBIT_PASSES_BUDGET": "5 MiB"][$0] ?? nil }
    }
    #expect(settings("on").recordsPasses && settings("on").budget.passes == 5 << 20)
    for word in [nil, "", "off", "ON", "1"] { #expect(!settings(word).recordsPasses) }
    for word in [nil, "", "on", "off"] { #expect(settings(word).unknownWords == []) }
    #expect(
      settings("1").unknownWords == ["$EXHIBIT_RECORD_PASSES is neither on nor off; passes are not recorded."]
    )
  }
}

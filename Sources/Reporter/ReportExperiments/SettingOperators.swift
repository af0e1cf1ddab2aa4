import ReportModel
import ReportStory

/// Experiments with connection settings and the environment.
package enum SettingOperators {
  /// Rows of docs/explain.md: operator, change, source.
  package static let all: [(name: String, summary: String, source: String)] = [
    (
      "foreign keys", "`PRAGMA foreign_keys` on, and off, on each connection", "a setting that SQLite has off"
    ),
    ("recursive triggers", "`PRAGMA recursive_triggers` on", "a setting that SQLite has off"),
    ("case of LIKE", "`PRAGMA case_sensitive_like` on", "a setting that SQLite has off"),
    ("time zone", "`TZ` as UTC, and zones east and west of it", "code that takes local time for UTC"),
    ("locale", "`LC_ALL` as C", "code that formats for a machine by the user's locale"),
    ("hashing", "`SWIFT_DETERMINISTIC_HASHING` on", "code that depends on the order of a dictionary"),
  ]

  static func subjects(told: ToldSteps) -> [ExperimentPlan.Subject] {
    let isChecked = !told.checkedConnections.isEmpty
    let connections = [
      connection(
        "foreign keys", "PRAGMA foreign_keys=\(isChecked ? "OFF" : "ON")",
        "With foreign keys \(isChecked ? "off" : "on")", .usual),
      connection(
        "foreign keys", "PRAGMA foreign_keys=\(isChecked ? "ON" : "OFF")",
        "With foreign keys \(isChecked ? "on" : "off") on each connection", .usual),
      connection("recursive triggers", "PRAGMA recursive_triggers=ON", "With recursive triggers"),
      connection(
        "case of LIKE", "PRAGMA case_sensitive_like=ON", "With a LIKE that tells capitals from small letters"),
    ]
    let environment = [
      variable("time zone", "TZ", "UTC", "In UTC"),
      variable("time zone", "TZ", "Pacific/Auckland", "In the time zone of Auckland"),
      variable("time zone", "TZ", "America/Los_Angeles", "In the time zone of Los Angeles"),
      variable("locale", "LC_ALL", "C", "In the locale C"),
      variable(
        "hashing", "SWIFT_DETERMINISTIC_HASHING", "1", "With dictionaries in the same order at each run"),
    ]
    return [
      ExperimentPlan.Subject(sql: nil, step: nil, distance: 3, experiments: connections),
      ExperimentPlan.Subject(sql: nil, step: nil, distance: 4, experiments: environment),
    ]
  }

  private static func connection(
    _ name: String, _ sql: String, _ words: String, _ likelihood: StatementOperator.Likelihood = .possible
  ) -> PlannedExperiment {
    experiment(.connection(sql), name, words, likelihood)
  }

  private static func variable(
    _ name: String, _ variable: String, _ value: String, _ words: String
  ) -> PlannedExperiment {
    experiment(.environment(variable, value), name, words, .possible)
  }

  private static func experiment(
    _ intervention: Intervention, _ name: String, _ words: String, _ likelihood: StatementOperator.Likelihood
  ) -> PlannedExperiment {
    PlannedExperiment(
      intervention: intervention, words: words, bare: words, operatorName: name, rank: 0,
      likelihood: likelihood.rawValue)
  }
}

import Testing

@testable import ReportExperiments

/// Bounds of ranges.
@Suite struct BoundOperatorTests {
  @Test(arguments: [
    OperatorCase(
      "bounds", "SELECT id FROM loan WHERE starts_at <= ? AND ends_at > 5 AND a -> '$.b' >= 2",
      (
        "SELECT id FROM loan WHERE starts_at < ? AND ends_at > 5 AND a -> '$.b' >= 2",
        "With “<” for “<=” in “starts_at <= ?”"
      ),
      (
        "SELECT id FROM loan WHERE starts_at <= ? AND ends_at >= 5 AND a -> '$.b' >= 2",
        "With “>=” for “>” in “ends_at > 5”"
      ),
      (
        "SELECT id FROM loan WHERE starts_at <= ? AND ends_at > 5 AND a -> '$.b' > 2",
        "With “>” for “>=” in “a -> '$.b' >= 2”"
      )),
    OperatorCase("bounds", "SELECT id FROM loan WHERE starts_at <> ? AND a = b"),
  ])
  func bounds(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "all bounds", "SELECT id FROM loan WHERE starts_at <= ? AND ends_at >= ?",
      (
        "SELECT id FROM loan WHERE starts_at < ? AND ends_at > ?",
        "With all bounds strict in “starts_at <= ? AND ends_at >= ?”"
      )),
    OperatorCase("all bounds", "SELECT id FROM loan WHERE starts_at <= ?"),
    OperatorCase(
      "all bounds",
      "SELECT id FROM loan WHERE (starts_at < ? AND ends_at > ?) OR (starts_at > ? AND ends_at < ?)",
      (
        "SELECT id FROM loan WHERE (starts_at <= ? AND ends_at >= ?) OR (starts_at >= ? AND ends_at <= ?)",
        "With all bounds loose in “(starts_at < ? AND ends_at > ?) OR (starts_at > ? AND ends_at < ?)”"
      ),
      (
        "SELECT id FROM loan WHERE (starts_at <= ? AND ends_at >= ?) OR (starts_at > ? AND ends_at < ?)",
        "With all bounds loose in “starts_at < ? AND ends_at > ?”"
      ),
      (
        "SELECT id FROM loan WHERE (starts_at < ? AND ends_at > ?) OR (starts_at >= ? AND ends_at <= ?)",
        "With all bounds loose in “starts_at > ? AND ends_at < ?”"
      )),
  ])
  func allBounds(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "open end", "SELECT id FROM loan WHERE starts_at BETWEEN ? AND ? AND NOT (id NOT BETWEEN 1 AND 3)",
      (
        "SELECT id FROM loan WHERE (starts_at >= ? AND starts_at < ?) AND NOT (id NOT BETWEEN 1 AND 3)",
        "With “>=” and “<” for BETWEEN in “starts_at BETWEEN ? AND ?”"
      ),
      (
        "SELECT id FROM loan WHERE (starts_at > ? AND starts_at <= ?) AND NOT (id NOT BETWEEN 1 AND 3)",
        "With “>” and “<=” for BETWEEN in “starts_at BETWEEN ? AND ?”"
      ),
      (
        "SELECT id FROM loan WHERE starts_at BETWEEN ? AND ? AND NOT (NOT (id >= 1 AND id < 3))",
        "With “>=” and “<” for BETWEEN in “id NOT BETWEEN 1 AND 3”"
      ),
      (
        "SELECT id FROM loan WHERE starts_at BETWEEN ? AND ? AND NOT (NOT (id > 1 AND id <= 3))",
        "With “>” and “<=” for BETWEEN in “id NOT BETWEEN 1 AND 3”"
      )),
    OperatorCase("open end", "SELECT between_id FROM loan"),
  ])
  func openEnd(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "turned", "SELECT id FROM loan WHERE starts_at < ends_at",
      ("SELECT id FROM loan WHERE starts_at > ends_at", "With “>” for “<” in “starts_at < ends_at”")),
    OperatorCase("turned", "SELECT id FROM loan WHERE starts_at = ?"),
  ])
  func turned(_ made: OperatorCase) { made.check() }

  @Test(arguments: [
    OperatorCase(
      "unequal", "SELECT id FROM loan WHERE starts_at = ? AND id = ? AND ends_at = starts_at",
      (
        "SELECT id FROM loan WHERE starts_at <> ? AND id = ? AND ends_at = starts_at",
        "With “<>” for “=” in “starts_at = ?”"
      )),
    OperatorCase("unequal", "UPDATE loan SET ends_at = ?"),
  ])
  func unequal(_ made: OperatorCase) { made.check() }
}

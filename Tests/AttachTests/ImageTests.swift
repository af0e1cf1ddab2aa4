import Foundation
import Testing

/// What proves that a process has one SQLite: every function of it that runs on an app's connection is looked at.
@Suite struct ImageTests {
  private static let sources = ThisPackage.file("Sources")

  /// Functions that take no connection of an app's, or that the interposers stand for.
  private static let others: Set = [
    "sqlite3_auto_extension", "sqlite3_bind_text", "sqlite3_blob_write", "sqlite3_busy_handler",
    "sqlite3_cancel_auto_extension",
    "sqlite3_clear_bindings", "sqlite3_collation_needed", "sqlite3_create_collation_v2", "sqlite3_close",
    "sqlite3_close_v2", "sqlite3_config", "sqlite3_errstr",
    "sqlite3_int64", "sqlite3_open",
    "sqlite3_open16", "sqlite3_open_v2", "sqlite3_profile", "sqlite3_reset_auto_extension",
    "sqlite3_set_authorizer", "sqlite3_trace", "sqlite3_update_hook",
    "sqlite3_preupdate_hook",
    "sqlite3_column_name16", "sqlite3_prepare", "sqlite3_prepare16", "sqlite3_prepare16_v2",
    "sqlite3_prepare16_v3",
    "sqlite3_prepare_v3", "sqlite3_compileoption_used", "sqlite3_mprintf",
    "sqlite3_snprintf", "sqlite3_stricmp",
    "sqlite3_strnicmp", "sqlite3_transfer_bindings",
  ]

  @Test func everyFunctionIsInTheList() throws {
    let list = try String(
      contentsOf: Self.sources.appendingPathComponent("ExhibitStart/images.c"), encoding: .utf8)
    let listed = Set(list.matches(of: /(?:FUNCTION|INTERPOSED)\((sqlite3_\w+)\)/).map { String($0.1) })
    var called: Set<String> = []
    for module in ["Attach", "Collector", "ExhibitCSQLite", "ExhibitSQLite", "ExhibitStart"] {
      let folder = Self.sources.appendingPathComponent(module)
      let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
      for case let file as URL in files where ["swift", "c", "h"].contains(file.pathExtension) {
        let text = try String(contentsOf: file, encoding: .utf8)
        called.formUnion(text.matches(of: /\b(sqlite3_[a-z0-9_]+)\)?\(/).map { String($0.1) })
      }
    }
    #expect(called.subtracting(Self.others) == listed)
  }
}

import Foundation
import TestSupport
import Testing

/// What `--json` prints: everything exactly, and as docs/database-json.md describes it.
@Suite struct DatabaseJSONTests {
  private let shop: ShopDatabases

  init() throws {
    shop = try ShopDatabases()
  }

  private func document(_ arguments: String...) throws -> [String: Any] {
    let result = try ReporterProcess.run(arguments + ["--json"], in: shop.folder.path)
    #expect([0, 1].contains(result.status) && result.errors == "")
    #expect(result.output.hasSuffix("}\n") && result.output.filter { $0 == "\n" }.count == 1)
    return try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
  }

  private static func first(_ key: String, of object: [String: Any]) throws -> [String: Any] {
    try #require((object[key] as? [[String: Any]])?.first)
  }

  @Test func everyKeyIsDescribedAndNoOther() throws {
    let text = try String(contentsOf: ThisPackage.file("docs/database-json.md"), encoding: .utf8)
    var sections: [String: Set<String>] = [:]
    for section in text.components(separatedBy: "\n## ").dropFirst() {
      let cells = section.split(separator: "\n").filter { $0.hasPrefix("| `") }.map {
        $0.split(separator: "|")[0]
      }
      let words = cells.flatMap { $0.split(separator: "`").filter { !$0.allSatisfy { " ,".contains($0) } } }
      sections[String(section.prefix { $0 != "\n" })] = Set(words.map(String.init))
    }
    let inspection = try document("inspect", "shop.sqlite")
    let difference = try document("diff", "shop.sqlite", "later.sqlite")
    let tables = try #require(difference["tables"] as? [[String: Any]])
    let order = try #require(tables.first { $0["name"] as? String == "order" })
    let inspected = try #require(inspection["tables"] as? [[String: Any]])
    let orders = try #require(inspected.first { $0["name"] as? String == "order" })
    let blob = try #require((orders["rows"] as? [[Any]])?.first?.last as? [String: Any])
    let finding = try Self.first("findings", of: inspection)
    let wal = try walDocument()
    let transaction = try Self.first("transactions", of: wal)
    let objects = try [
      "A finding": finding, "A row of a finding": Self.first("rows", of: finding),
      "Values": blob, "A file": #require(inspection["file"] as? [String: Any]), "An inspection": inspection,
      "An object of the schema": Self.first("schema", of: inspection), "A table": orders,
      "A WAL": wal, "A transaction": transaction,
      "A table of a transaction": Self.first("tables", of: transaction), "A difference": difference,
      "A change of the schema": Self.first("schema", of: difference),
      "A table that differs": order, "A row that differs": Self.first("rows", of: order),
    ]
    for (title, object) in objects { #expect(sections[title] == Set(object.keys), "\(title)") }
    #expect(Set(sections.keys) == Set(objects.keys))
  }

  /// What is told of a WAL that a connection has written and not checkpointed.
  private func walDocument() throws -> [String: Any] {
    let writer = try TestConnection(
      shop.folder("wal.sqlite"),
      "PRAGMA journal_mode = WAL; CREATE TABLE t(a, b); INSERT INTO t VALUES (1, 'x'); UPDATE t SET b = 'y'")
    defer { writer.close() }
    let document = try document("inspect", "wal.sqlite")
    let wal = try #require(document["wal"] as? [String: Any])
    #expect(wal["count"] as? Int == 3)
    let transactions = try #require(wal["transactions"] as? [[String: Any]])
    let counts = try transactions.map { transaction in
      let table = try Self.first("tables", of: transaction)
      return ["added", "removed", "changed"].map { table[$0] as? Int }
    }
    #expect(counts == [[0, 0, 0], [1, 0, 0], [0, 0, 1]])
    return wal
  }

  @Test func keysAreSortedAndTheSameFilesGiveTheSameBytes() throws {
    for arguments in [
      ["inspect", "shop.sqlite", "--json"], ["diff", "shop.sqlite", "later.sqlite", "--json"],
    ] {
      let one = try ReporterProcess.run(arguments, in: shop.folder.path)
      #expect(try ReporterProcess.run(arguments, in: shop.folder.path).output == one.output)
      let object = try JSONSerialization.jsonObject(with: Data(one.output.utf8))
      let sorted = try JSONSerialization.data(
        withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes])
      let keys: (String) -> [Substring] = { $0.matches(of: #/"([A-Za-z]+)":/#).map(\.output.1) }
      #expect(keys(one.output) == keys(String(decoding: sorted, as: UTF8.self)))
    }
  }

  @Test func valuesAreExact() throws {
    try shop.folder.database(
      "v.sqlite",
      "CREATE TABLE t(v); INSERT INTO t VALUES (9223372036854775807), (-9223372036854775808), (0.1), (1.0), (9e999), (-9e999), (NULL), ('41'), (x'00ff'), (CAST(x'61ff62' AS TEXT)), (''), (x''), (zeroblob(70000)), (char(27) || '[2J\"\\');"
    )
    let result = try ReporterProcess.run(
      ["inspect", "v.sqlite", "--json", "--rows", "50"], in: shop.folder.path)
    let rows = try #require(result.output.firstMatch(of: #/"rows":\[(\[.*\])\],"sql"/#)?.output.1)
    let expected = [
      "9223372036854775807", "-9223372036854775808", "0.1", "1.0",
      #"{"bytes":null,"cut":false,"hex":null,"text":"Infinity","type":"real"}"#,
      #"{"bytes":null,"cut":false,"hex":null,"text":"-Infinity","type":"real"}"#, "null", #""41""#,
      #"{"bytes":2,"cut":false,"hex":"00ff","text":null,"type":"blob"}"#,
      #"{"bytes":3,"cut":false,"hex":"61ff62","text":"a\#u{FFFD}b","type":"text"}"#, #""""#,
      #"{"bytes":0,"cut":false,"hex":"","text":null,"type":"blob"}"#,
      #"{"bytes":70000,"cut":true,"hex":"\#(String(repeating: "00", count: 65536))","text":null,"type":"blob"}"#,
      #""\u001b[2J\"\\""#,
    ]
    #expect(String(rows) == expected.map { "[\($0)]" }.joined(separator: ","))
  }

  @Test(arguments: [["inspect", "c.sqlite"], ["diff", "c.sqlite", "d.sqlite"]])
  func nothingOfItIsObeyedByATerminal(arguments: [String]) throws {
    let table =
      "CREATE TABLE \"a\u{9B}2J\u{7F}\"(\"b\u{85}\" DEFAULT 'x\u{9D}0;y\u{7}'); INSERT INTO \"a\u{9B}2J\u{7F}\" "
    try shop.folder.database("c.sqlite", table + "VALUES (char(155) || '31m' || char(127));")
    try shop.folder.database("d.sqlite", table + "VALUES (char(27) || char(144));")
    let output = try ReporterProcess.run(arguments + ["--json"], in: shop.folder.path).output
    let controls = output.unicodeScalars.filter { $0.properties.generalCategory == .control && $0 != "\n" }
    #expect(controls.isEmpty && output.contains("a\\u009b2J\\u007f") && output.contains("\\u009b31m\\u007f"))
  }

  @Test func aDifferenceTellsBothValues() throws {
    let tables = try #require(
      try document("diff", "shop.sqlite", "later.sqlite")["tables"] as? [[String: Any]])
    let order = try #require(tables.first { $0["name"] as? String == "order" })
    #expect(order["added"] as? Int == 2 && order["removed"] as? Int == 1 && order["changed"] as? Int == 2)
    #expect(order["key"] as? [String] == ["id"] && order["fate"] as? String == "kept")
    let row = try Self.first("rows", of: order)
    #expect(row["kind"] as? String == "changed")
    let change = try Self.first("changes", of: row)
    #expect(
      change["column"] as? String == "state" && change["before"] as? String == "new"
        && change["after"] as? String == "paid")
  }
}

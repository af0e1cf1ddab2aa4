import ReportModel
import Testing

@testable import ReportHistory

/// Addresses of servers, which hold no secret that could be printed or kept.
@Suite struct ServerAddressTests {
  @Test(arguments: [
    "postgresql://ci@db.example:5432/history", "postgresql:///history", "postgres://db/history",
    "postgresql://ci%40db@db/history", "postgresql://%2Frun%2Fp/history", "postgresql://[::1]:5432/history",
    "postgresql://a,b:1/history", "postgresql://ci@/history",
  ])
  func theyAreNamedWithoutWhatFollows(address: String) throws {
    let read = try ServerAddress(address + "?sslmode=verify-full&host=/run/p")
    #expect(read.name == address)
    #expect(read.text.hasPrefix(address))
    #expect(HistoryServer(address).name == address)
  }

  @Test(arguments: [
    "postgresql://ci:geheim@db/history", "postgresql://ci:@db/history",
    "postgresql://db/history?password=geheim",
    "postgresql://db/history?sslpassword=geheim", "postgresql://ci:ge/heim@db/history",
    "postgresql://ci:ge@heim@db/history", "postgresql://ci%3Ageheim:x@db/h", "postgresql://db:geheim/history",
    "postgresql://db/history?options=-c%20geheim", "postgresql://db/history?service=geheim",
    "postgresql://db/geheim history", "postgresql://d\u{1B}b/geheim", "postgresql://db/history?geheim",
    "postgresql://db/history?connect_timeout=geheim", "postgresql://db/history?connect_timeout=0",
    "postgresql://db/history?connect_timeout=61", "postgresql://db/history?pass%77ord=geheim",
    "postgresql://geheim@@db/history", "postgresql://ci@db/geheim@history",
    "POSTGRESQL://ci:geheim@db/history", " postgresql://ci:geheim@db/history",
    "postgresql+psycopg2://ci:geheim@db/history", "\"postgres://ci:geheim@db/history\"",
    "postgresql://ci%3Ageheim@db/history", "postgresql://ci%3ageheim@db/history",
    "postgresql://ci%253Ageheim@db/h",
    "postgresql://ci@db/%40geheim", "postgresql://ci%3Ageheim%zz@db/history",
    "postgresql://ci%3Ageheim%40db/history", "postgresql:%2F%2Fci:geheim@db/history",
    "postgresql:/ci:geheim@db/h",
    "postgres:ci:geheim@db/history", "host=db password=geheim", "user = ci password = 'geheim'",
  ])
  func whatIsNoneOrHasASecretIsRefusedWithoutRepeatingIt(address: String) throws {
    let refusal = try #require(throws: ServerAddress.Refusal.self) { _ = try ServerAddress(address) }
    #expect(!"\(refusal)".contains("geheim") && "\(refusal)".hasSuffix("."), "\(refusal)")
    let error = try #require(throws: HistoryError.self) { try HistoryServer(address).identities() }
    #expect(error.problem == .badAddress("\(refusal)"))
    #expect(!"\(error)".contains("geheim") && !error.path.contains("geheim"))
    #expect(ServerAddress.isAddress(address))
  }

  @Test func theTimeIsInTheAddress() throws {
    #expect(try ServerAddress("postgresql://db/h").patience == nil)
    #expect(try ServerAddress("postgresql://db/h?connect_timeout=3").patience == 3)
  }

  @Test func filesAreNoAddresses() {
    for path in ["history.sqlite", "/a/postgresql:/b", "file:/a", "postgresql:history"] {
      #expect(!ServerAddress.isAddress(path))
    }
  }

  @Test func everyProblemOfAServerSaysWhatToDo() {
    let problems: [HistoryError.Problem] = [
      .noLibrary("x"), .unreachable("x"), .oldServer(version: "9"), .late(seconds: 10), .uncertain("x"),
      .older(version: 1), .foreign, .altered, .newer(version: 9),
    ]
    for problem in problems {
      let text = HistoryError("postgresql://db/h", problem).whenAdding
      #expect(text.contains("--history") || text.contains("`") || text.contains("next run"), "\(text)")
      #expect(!text.contains("file"))
    }
  }
}

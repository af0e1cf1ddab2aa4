import Scores
import Testing

@Suite struct LeaderboardTests {
  let leaderboard: Leaderboard

  init() throws {
    leaderboard = try Leaderboard()
    try leaderboard.enter(Season.players)
  }

  @Test func theMostPointsWinTheSeason() throws {
    let champion = try leaderboard.champion()
    #expect(champion == "Noor")
  }

  @Test("Equal points share a place", arguments: 1...6)
  func equalPointsShareAPlace(round: Int) throws {
    let places = try leaderboard.places(round: round)
    for player in Season.players {
      let points = player.points[round - 1]
      let better = Season.players.count { $0.points[round - 1] > points }
      #expect(places[player.name] == better + 1, "\(player.name), \(points) points")
    }
  }

  @Test(arguments: ["Herons", "Otters", "Badgers"])
  func theMeanOfATeamHasAFraction(team: String) throws {
    let points = Season.players.filter { $0.team == team }.map { $0.points[0] }
    let expected = Double(points.reduce(0, +)) / Double(points.count)
    let mean = try leaderboard.mean(team: team, round: 1)
    #expect(mean == expected)
  }

  @Test func aPlayerWhoMissesARoundStaysOnTheBoard() throws {
    try leaderboard.join("Vera", team: "Otters")
    let places = try leaderboard.places(round: 1)
    withKnownIssue("The places of a round leave out who did not play") {
      #expect(places["Vera"] != nil)
    }
  }

  @Test(.disabled("Play-offs begin next season")) func thePlayOffsHaveEightPlayers() throws {
    #expect(try leaderboard.places(round: 7).count == 8)
  }
}

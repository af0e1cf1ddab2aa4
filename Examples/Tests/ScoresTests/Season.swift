import Scores

/// Twelve players and their points in six rounds.
enum Season {
  struct Player {
    var name: String
    var team: String
    var points: [Int]
  }

  static let players = [
    Player(name: "Amara", team: "Herons", points: [31, 18, 40, 22, 35, 27]),
    Player(name: "Bela", team: "Herons", points: [24, 29, 13, 37, 20, 33]),
    Player(name: "Chidi", team: "Herons", points: [19, 36, 25, 14, 28, 30]),
    Player(name: "Dagny", team: "Herons", points: [38, 21, 17, 26, 34, 12]),
    Player(name: "Emeka", team: "Otters", points: [27, 33, 22, 19, 16, 39]),
    Player(name: "Farah", team: "Otters", points: [15, 26, 38, 30, 23, 21]),
    Player(name: "Goran", team: "Otters", points: [36, 26, 29, 11, 32, 18]),
    Player(name: "Hana", team: "Otters", points: [22, 14, 34, 28, 39, 25]),
    Player(name: "Ilse", team: "Badgers", points: [29, 39, 20, 33, 12, 16]),
    Player(name: "Jun", team: "Badgers", points: [12, 31, 27, 35, 26, 36]),
    Player(name: "Kofi", team: "Badgers", points: [33, 23, 31, 17, 20, 24]),
    Player(name: "Noor", team: "Badgers", points: [40, 35, 36, 39, 37, 34]),
  ]
}

extension Leaderboard {
  func enter(_ players: [Season.Player]) throws {
    for player in players {
      try join(player.name, team: player.team)
      for (index, points) in player.points.enumerated() {
        try enter(points, for: player.name, round: index + 1)
      }
    }
  }
}

import Attach
import AttachGRDB
import CustomDump
import Foundation
import Scorekeeper
import Testing

/// The base suite: every test has the schema, and the suites inside seed their own rows.
@Suite(.store(GRDBStore.self) { db in try Scorekeeper.createSchema(db) })
enum ScorekeeperTests {
  @Suite(
    .store(GRDBStore.self) { db in
      try Game(id: .seed(-1), title: "Skat").insert(db)
      try Game(id: .seed(-2), title: "Catan").insert(db)
    }
  )
  struct Games {
    let keeper: Scorekeeper

    init() throws {
      keeper = Scorekeeper(try GRDBStore.current.writer)
    }

    @Test func areListedByTheirTitles() throws {
      expectNoDifference(
        try keeper.games(), [Game(id: .seed(-2), title: "Catan"), Game(id: .seed(-1), title: "Skat")])
    }

    @Test(arguments: ["Ada", "Grace", "Edith"]) func aPlayerIsAdded(name: String) throws {
      try keeper.addPlayer(name, to: .seed(-1))
      expectNoDifference(
        try keeper.players(of: .seed(-1), .ascending), [Player(id: .seed(0), game: .seed(-1), name: name)])
    }

    @Suite(
      .store(GRDBStore.self) { db in
        for (number, (name, score)) in [("Ada", 12), ("Grace", 30), ("Edith", 12)].enumerated() {
          try Player(id: .seed(-1 - number), game: .seed(-1), name: name, score: score).insert(db)
        }
      }
    )
    struct Players {
      let keeper: Scorekeeper

      init() throws {
        keeper = Scorekeeper(try GRDBStore.current.writer)
      }

      @Test func theMostPointsComeFirst() throws {
        let players = try keeper.players(of: .seed(-1), .descending)
        expectNoDifference(players.first?.name, "Grace")
      }

      @Test func pointsAreAdded() throws {
        try keeper.addPoints(5, to: .seed(-2))
        let players = try keeper.players(of: .seed(-1), .descending)
        expectNoDifference(
          players.first, Player(id: .seed(-2), game: .seed(-1), name: "Grace", score: 35))
      }

      /// Fails: who has as many points comes by name, the wrong way round.
      @Test func equalPointsAreListedByName() throws {
        try keeper.addPlayer("Maria", to: .seed(-1))
        try keeper.addPoints(12, to: .seed(0))
        expectNoDifference(
          try keeper.players(of: .seed(-1), .ascending),
          [
            Player(id: .seed(-1), game: .seed(-1), name: "Ada", score: 12),
            Player(id: .seed(-3), game: .seed(-1), name: "Edith", score: 12),
            Player(id: .seed(0), game: .seed(-1), name: "Maria", score: 12),
            Player(id: .seed(-2), game: .seed(-1), name: "Grace", score: 30),
          ])
      }
    }
  }
}

/// Without a trait around it a test has no store, and the error says which one to add.
@Suite struct BlankStoreTests {
  @Test func theTraitToAddIsNamed() {
    let error = #expect(throws: StoreError.self) { try GRDBStore.current }
    #expect(error?.description.contains(".store(GRDBStore.self) { db in … }") == true)
  }
}

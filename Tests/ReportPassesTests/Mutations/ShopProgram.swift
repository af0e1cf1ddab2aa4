import TestSupport

/// A value that a statement of a program is given.
enum Given: Hashable {
  case number(Int)
  case text(String)
  /// What an earlier statement returned, or the key of the row that it made.
  case known(String)
  /// A UUID that each run makes anew.
  case identifier(String)
  /// Seconds behind the run's start, as a text or as a number.
  case moment(Int), clock(Int)
}

/// One statement of a program, and what the program does with what it returns.
struct Action {
  enum Use {
    case nothing
    /// Keeps the key of the row that was made.
    case key(String)
    /// Keeps the cells of the first row, as `name.0` and so on.
    case row(String)
    /// Runs others for each row, whose cells are `each.0` and so on.
    case each([Action])
  }

  /// Tells it from all others of its program, however that is changed.
  var tag: Int
  var sql: String
  var given: [Given] = []
  var use = Use.nothing
  /// True when values stand in the statement itself.
  var isInlined = false
  /// The name of a row that the program's own function `offered` leaves out, as it depends on what no database knows.
  var hidden: String?

  var each: [Action] { if case .each(let actions) = use { actions } else { [] } }

  /// Its own and those that it runs for each row.
  var tags: Set<Int> { Set([tag] + each.map(\.tag)) }

  var word: Substring { sql.prefix { $0 != " " } }
  var isRead: Bool { word == "SELECT" }
  var controlsTransaction: Bool { ["BEGIN", "COMMIT", "ROLLBACK"].contains(word) }

  /// What earlier statements have to have kept.
  var needs: Set<String> {
    let own = given.compactMap { if case .known(let name) = $0 { name } else { nil } }
    return Set(own).union(each.flatMap(\.needs)).filter { !$0.hasPrefix("each.") }
  }

  var keeps: String? {
    switch use {
    case .key(let name), .row(let name): name
    default: nil
    }
  }

  /// The tables that it uses, by triggers and references too.
  var tables: Set<String> {
    var tables = ShopProgram.tables.filter(Set(sql.split { !$0.isLetter }.map(String.init)).contains)
    if word == "CREATE" || word == "PRAGMA" { tables = ShopProgram.tables }
    if !isRead {
      if tables.contains("purchase") { tables.formUnion(["line", "customer"]) }
      if tables.contains("line") { tables.formUnion(["purchase", "article"]) }
      if tables.contains("article") { tables.insert("movement") }
      if tables.contains("movement") { tables.insert("article") }
    }
    return each.reduce(into: tables) { $0.formUnion($1.tables) }
  }

  /// True when nobody can tell which of the two ran first.
  func isIndependent(of other: Action) -> Bool {
    !controlsTransaction && !other.controlsTransaction && tables.isDisjoint(with: other.tables)
      && isFree(of: other)
  }

  /// True when neither uses what the other one keeps.
  func isFree(of other: Action) -> Bool {
    func uses(_ one: Action, _ two: Action) -> Bool {
      two.keeps.map { name in one.needs.contains { $0 == name || $0.hasPrefix(name + ".") } } ?? false
    }
    return !uses(self, other) && !uses(other, self)
  }
}

/// A shop at random, the same for the same seed: what it writes, reads and writes on, and a last read.
struct ShopProgram {
  static let tables: Set = [
    "customer", "article", "purchase", "line", "movement", "summary", "note", "visit",
  ]

  static let schema = [
    "CREATE TABLE customer (id TEXT PRIMARY KEY, name TEXT, city TEXT, points INTEGER, created REAL)",
    "CREATE TABLE article (id INTEGER PRIMARY KEY AUTOINCREMENT, code TEXT UNIQUE, price INTEGER, stock INTEGER)",
    "CREATE TABLE purchase (id INTEGER PRIMARY KEY AUTOINCREMENT, label TEXT, customer TEXT REFERENCES customer(id), state TEXT, placed TEXT, total INTEGER DEFAULT 0)",
    "CREATE TABLE line (id INTEGER PRIMARY KEY, purchase INTEGER REFERENCES purchase(id) ON DELETE CASCADE, article INTEGER REFERENCES article(id), count INTEGER, price INTEGER)",
    "CREATE TABLE movement (id INTEGER PRIMARY KEY, article INTEGER REFERENCES article(id), delta INTEGER)",
    "CREATE TABLE summary (city TEXT PRIMARY KEY, points INTEGER)",
    "CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT, at REAL)",
    "CREATE TABLE visit (id INTEGER PRIMARY KEY, page TEXT, ms INTEGER)",
    "CREATE TRIGGER sold AFTER INSERT ON line BEGIN UPDATE purchase SET total = total + NEW.count * NEW.price WHERE id = NEW.purchase; UPDATE article SET stock = stock - NEW.count WHERE id = NEW.article; END",
    "CREATE TRIGGER returned AFTER DELETE ON line BEGIN UPDATE purchase SET total = total - OLD.count * OLD.price WHERE id = OLD.purchase; END",
    "CREATE TRIGGER moved AFTER UPDATE OF stock ON article BEGIN INSERT INTO movement (article, delta) VALUES (NEW.id, NEW.stock - OLD.stock); END",
  ]

  static let cities = ["Ulm", "Bremen", "Trier", "Gera"]
  static let states = ["open", "paid", "sent", "late"]
  static let names = ["Ada", "Bela", "Cleo", "Dora", "Enno"]

  private(set) var actions: [Action] = []
  private var random: SeededGenerator
  private var tag = 0
  private(set) var (customers, articles, purchases) = (0, 0, 0)

  /// - Parameter makesSchema: True when the program makes its tables itself.
  init(seed: UInt64, makesSchema: Bool) {
    random = SeededGenerator(seed: seed)
    if makesSchema { for sql in ["PRAGMA foreign_keys = ON"] + Self.schema { add(sql) } }
    for _ in 0..<3 { addCustomer() }
    for _ in 0..<4 { addArticle() }
    for _ in 0..<3 { addPurchase() }
    for _ in 0..<5 { addLine() }
    while actions.count < (makesSchema ? 42 : 30) { addSomething() }
    finish()
  }

  /// Others that it may have run too.
  mutating func more() -> [Action] {
    let count = actions.count
    while actions.count == count { addSomething() }
    defer { actions.removeSubrange(count...) }
    return Array(actions[count...])
  }

  private mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

  private mutating func number() -> Given { .number(below(90) + 10) }
  private mutating func few() -> Given { .number(below(8) + 2) }
  private mutating func city() -> Given { .text(Self.cities[below(4)]) }
  private mutating func state() -> Given { .text(Self.states[below(4)]) }
  private mutating func customer() -> Given { .identifier("c\(below(customers))") }
  private mutating func article() -> Given { .known("a\(below(articles))") }
  private mutating func purchase() -> Given { .known("p\(below(purchases))") }

  private mutating func action(_ sql: String, _ given: [Given], _ use: Action.Use) -> Action {
    tag += 1
    return Action(tag: tag, sql: sql, given: given, use: use, isInlined: below(4) == 0)
  }

  private mutating func add(_ sql: String, _ given: Given..., use: Action.Use = .nothing) {
    actions.append(action(sql, given, use))
  }

  private mutating func addCustomer() {
    let name = Self.names[customers % 5] + "\(customers)"
    customers += 1
    add(
      "INSERT INTO customer (id, name, city, points, created) VALUES (?, ?, ?, ?, ?)",
      .identifier("c\(customers - 1)"), .text(name), city(), number(), .clock(customers))
  }

  private mutating func addArticle() {
    articles += 1
    add(
      "INSERT INTO article (code, price, stock) VALUES (?, ?, ?)", .text("A-\(articles)"), number(),
      .number(100 + below(100)), use: .key("a\(articles - 1)"))
  }

  private mutating func addPurchase() {
    purchases += 1
    add(
      "INSERT INTO purchase (label, customer, state, placed) VALUES (?, ?, ?, ?)", .text("P-\(purchases)"),
      customer(), .text("open"), .moment(purchases * 36_000), use: .key("p\(purchases - 1)"))
  }

  private mutating func addLine(_ article: Given? = nil, _ price: Given? = nil) {
    add(
      "INSERT INTO line (purchase, article, count, price) VALUES (?, ?, ?, ?)", purchase(),
      article ?? self.article(), few(), price ?? number())
  }

  private mutating func addSomething() {
    switch below(25) {
    case 0: addCustomer()
    case 1: addArticle()
    case 2: addPurchase()
    case 3, 4: addLine()
    case 5:
      let article = article()
      add("SELECT price FROM article WHERE id = ?", article, use: .row("r\(tag)"))
      addLine(article, actions.last?.keeps.map { .known($0 + ".0") })
    case 6, 7:
      add(
        "SELECT id, price FROM article WHERE stock > ? AND offered(code) ORDER BY price, code LIMIT 1",
        number(), use: .row("r\(tag)"))
      let name = actions.last?.keeps ?? ""
      addLine(.known(name + ".0"), .known(name + ".1"))
    case 8: add("UPDATE article SET price = price + ? WHERE price < ?", few(), number())
    case 9: add("UPDATE article SET stock = stock + ? WHERE id = ?", number(), article())
    case 10: add("UPDATE article SET price = price * 2 WHERE code = ?", .text("A-\(below(articles) + 1)"))
    case 11: add("UPDATE purchase SET state = ? WHERE total > ? AND state <> ?", state(), number(), state())
    case 12: add("UPDATE purchase SET state = ? WHERE placed < ?", state(), .moment(below(4) * 36_000 + 9000))
    case 13: add("UPDATE purchase SET state = ? WHERE id = ?", state(), purchase())
    case 14, 15:
      let reward = action(
        "UPDATE customer SET points = points + ? WHERE id = ?", [.known("each.1"), .known("each.0")], .nothing
      )
      add(
        "SELECT customer, total FROM purchase WHERE state = ? AND offered(label) ORDER BY label", state(),
        use: .each([reward]))
    case 16:
      let move = action(
        "INSERT INTO movement (article, delta) VALUES (?, ?)", [.known("each.0"), .known("each.1")], .nothing)
      add(
        "SELECT id, stock FROM article WHERE price > ? AND offered(code) ORDER BY code", number(),
        use: .each([move]))
    case 17: add("DELETE FROM line WHERE count < ? AND purchase = ?", few(), purchase())
    case 18: add("DELETE FROM purchase WHERE state = ? AND total < ?", state(), number())
    case 19: add("DELETE FROM movement WHERE delta > ?", few())
    case 20:
      add(
        "INSERT OR REPLACE INTO summary (city, points) SELECT city, sum(points) FROM customer WHERE points > ? GROUP BY city",
        number())
    case 21: add("UPDATE customer SET city = ? WHERE id = ?", city(), customer())
    case 22: add("UPDATE customer SET points = points - ? WHERE city = ?", number(), city())
    case 23:
      add(
        "INSERT INTO movement (article, delta) VALUES (?, ?), (?, ?), (?, ?)", article(), number(), article(),
        few(), article(), number())
    default: addAside()
    }
  }

  /// What has nothing to do with the rest, or is taken back.
  private mutating func addAside() {
    switch below(3) {
    case 0:
      add("BEGIN")
      for page in 0..<3 {
        add("INSERT INTO visit (page, ms) VALUES (?, ?)", .text("/\(page)\(below(100))"), number())
      }
      add("COMMIT")
    case 1:
      add("SELECT name, id FROM customer WHERE id = ?", customer(), use: .row("r\(tag)"))
      let name = actions.last?.keeps ?? ""
      add(
        "INSERT INTO note (text, at) VALUES (? || ' ' || ?, ?)", .known(name + ".0"), .known(name + ".1"),
        .clock(tag))
    default:
      add("BEGIN IMMEDIATE")
      add("UPDATE article SET price = price + ? WHERE id = ?", number(), article())
      add("ROLLBACK")
    }
  }

  private mutating func finish() {
    let reads = [
      "SELECT sum(total) FROM purchase WHERE state <> 'open'",
      "SELECT sum(count * price) FROM line",
      "SELECT sum(stock * price) FROM article",
      "SELECT sum(points * length(city)) FROM customer",
      "SELECT sum(delta * delta) FROM movement",
      "SELECT sum(points) FROM summary",
      "SELECT sum(line.count * line.price) FROM line JOIN purchase ON purchase.id = line.purchase WHERE purchase.state <> 'open'",
      "SELECT group_concat(name, ', ') FROM (SELECT name FROM customer ORDER BY points DESC, name)",
      "SELECT label FROM purchase WHERE state <> 'open' ORDER BY total, label",
      "SELECT code FROM article WHERE stock > 50 ORDER BY price, code",
    ]
    if below(2) == 0 {
      add(
        "INSERT OR REPLACE INTO summary (city, points) SELECT city, sum(points) FROM customer GROUP BY city")
    }
    add(reads[below(reads.count)])
  }
}

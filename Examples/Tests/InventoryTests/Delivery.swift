/// A delivery note: 16 articles on 12 shelves.
enum Delivery {
  static var sql: String { (articles + shelves + stock).joined(separator: "\n") }

  private static let names = [
    "Hinge, brass", "Hinge, steel", "Wood screw 4 × 40", "Wood screw 5 × 60", "Wall plug 8 mm",
    "Angle bracket",
    "Door handle", "Cylinder lock", "Padlock", "Hook, large", "Hook, small", "Drawer slide 400 mm",
    "Castor 50 mm",
    "Shelf support", "Cable clip", "Felt pad",
  ]

  private static var articles: [String] {
    names.enumerated().map { index, name in
      "INSERT INTO article VALUES (\(index + 1), '\(name)', \(Double(index * 37 % 90 + 5) / 10));"
    }
  }

  private static var shelves: [String] {
    (1...12).map { shelf in
      let aisle = ["A", "B", "C"][(shelf - 1) / 4]
      return "INSERT INTO shelf VALUES (\(shelf), '\(aisle)', \((shelf - 1) % 4 + 1));"
    }
  }

  /// Each article lies on five shelves.
  private static var stock: [String] {
    (1...names.count).flatMap { article in
      (0..<5).map { place in
        let shelf = (article * 5 + place * 7) % 12 + 1
        return "INSERT INTO stock VALUES (\(shelf), \(article), \((article * 11 + place * 5) % 40 + 4));"
      }
    }
  }
}

import Foundation

/// A value of a YAML file, whose scalars are texts.
indirect enum RecipeValue: Decodable, Equatable {
  case text(String)
  case list([RecipeValue])
  case map([String: RecipeValue])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let text = try? container.decode(String.self) {  // Else it is one of the others.
      self = .text(text)
    } else if let list = try? container.decode([RecipeValue].self) {  // Else it is a map.
      self = .list(list)
    } else {
      self = .map(try container.decode([String: RecipeValue].self))
    }
  }

  var text: String? { if case .text(let text) = self { text } else { nil } }

  /// The elements of a list, or the one value itself.
  var list: [RecipeValue] { if case .list(let list) = self { list } else { [self] } }

  var texts: [String] { list.compactMap(\.text) }

  var map: [String: RecipeValue] { if case .map(let map) = self { map } else { [:] } }

  subscript(key: String) -> RecipeValue? { map[key] }
}

/// A recipe in `ci/` that people copy.
enum Recipe {
  /// Whether YAML can be read, and checked against the services' schemas.
  static let canBeRead: Bool =
    // Without python there is none.
    (try? Command([ThisPackage.python, "-c", "import check_jsonschema, ruamel.yaml"]).run().status) == 0

  static func path(_ name: String) -> String { ThisPackage.file("ci/\(name)").path }

  static func read(_ name: String) throws -> RecipeValue {
    let script = ThisPackage.file("Tests/Fixtures/CI/read-recipe").path
    let result = try Command([ThisPackage.python, script, path(name)], separatesErrors: true).run()
    return try JSONDecoder().decode(RecipeValue.self, from: Data(result.output.utf8))
  }

  /// The shell lines of a Jenkinsfile.
  static func shellLines(ofJenkinsfile name: String) throws -> [String] {
    let text = try String(contentsOfFile: path(name), encoding: .utf8)
    return text.matches(of: #/(?s)\bsh '''(.*?)'''/#).map { String($0.1) }
  }
}

/// What a recipe has that the tests know no meaning of.
struct UnknownPart: Error, CustomStringConvertible {
  var part: String
  var description: String { "The tests know nothing of this part of the recipe: \(part)" }
}

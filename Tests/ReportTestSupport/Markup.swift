@testable import ReportRendering

/// The tags of a page, found the way a browser does where every text is escaped.
struct Markup {
  struct Tag {
    var name: String
    var attributes: [String: String]
  }

  private(set) var tags: [Tag] = []

  init(_ file: ReportFile) {
    let text = String(decoding: file.contents, as: UTF8.self)
    // By scalars, as browsers do: a combining mark behind a sign does not make it another sign.
    let scalars = Array(text.unicodeScalars)
    var index = 0
    while let start = scalars[index...].firstIndex(of: "<") {
      index = start + 1
      tags.append(Markup.tag(scalars, &index))
    }
  }

  private static func tag(_ scalars: [Unicode.Scalar], _ index: inout Int) -> Tag {
    var tag = Tag(name: word(scalars, &index), attributes: [:])
    while index < scalars.count, scalars[index] != ">" {
      guard scalars[index] != " ", scalars[index] != "\n", scalars[index] != "/" else {
        index += 1
        continue
      }
      let name = word(scalars, &index)
      tag.attributes[name] = value(scalars, &index)
    }
    return tag
  }

  private static func word(_ scalars: [Unicode.Scalar], _ index: inout Int) -> String {
    let start = index
    while index < scalars.count, !" \n>=".unicodeScalars.contains(scalars[index]) { index += 1 }
    return text(scalars[start..<index])
  }

  private static func value(_ scalars: [Unicode.Scalar], _ index: inout Int) -> String {
    guard index < scalars.count, scalars[index] == "=" else { return "" }
    index += 2
    let start = index
    while index < scalars.count, scalars[index] != "\"" { index += 1 }
    defer { index += 1 }
    return text(scalars[start..<index])
  }

  private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    String(String.UnicodeScalarView(scalars))
  }
}

import Testing

@testable import ReportRendering

/// What a template can say: the language of the Mustache specification 1.4, <https://github.com/mustache/spec>, with
/// its optional inheritance, without changes of delimiters and with one form of raw text.
@Suite struct MustacheTests {
  private static let values: TemplateValues = [
    "text": "a < b & \"c\"", "number": 12, "yes": true, "no": false,
    "empty": [] as [String], "missing": nil as String?, "names": ["ada", "bob"],
    "outer": ["text": "inner", "deep": ["text": "deepest"] as TemplateValues] as TemplateValues,
    "rows": [["name": "x", "last": false], ["name": "y", "last": true]] as [TemplateValues],
  ]

  private func rendered(_ text: String, _ partials: [String: String] = [:]) throws -> String {
    let known = Set(partials.keys)
    let templates = try partials.mapValues { try TemplateParser.parse($0, file: "partial", known: known) }
    var renderer = TemplateRenderer(Self.values.templateValue, templates: templates)
    renderer.render(try TemplateParser.parse(text, file: "template", known: known))
    return String(decoding: renderer.bytes, as: UTF8.self)
  }

  @Test(arguments: [
    ("plain", "plain"),
    ("{{number}}", "12"),
    ("{{ number }}", "12"),
    ("[{{missing}}{{unknown}}]", "[]"),
    ("{{outer.text}} {{outer.deep.text}}", "inner deepest"),
    ("[{{outer.unknown.text}}]", "[]"),
    ("{{text}}", "a &lt; b &amp; &quot;c&quot;"),
    ("{{& text}}", "a < b & \"c\""),
    ("  {{number}}\n", "  12\n"),
  ])
  func variables(template: String, expected: String) throws {
    #expect(try rendered(template) == expected)
  }

  @Test(arguments: [
    ("{{#yes}}a{{/yes}}{{#no}}b{{/no}}", "a"),
    ("{{^yes}}a{{/yes}}{{^no}}b{{/no}}", "b"),
    ("{{#missing}}a{{/missing}}{{^missing}}b{{/missing}}", "b"),
    ("{{#empty}}a{{/empty}}{{^empty}}b{{/empty}}", "b"),
    ("{{#names}}{{.}},{{/names}}", "ada,bob,"),
    ("{{#rows}}{{name}}{{^last}}-{{/last}}{{/rows}}", "x-y"),
    ("{{#outer}}{{text}} {{number}}{{/outer}}", "inner 12"),
    ("{{#outer}}{{#deep}}{{text}}{{/deep}}{{/outer}}", "deepest"),
    ("{{#outer.deep}}{{text}}{{/outer.deep}}", "deepest"),
    ("{{#text}}{{.}}{{/text}}", "a &lt; b &amp; &quot;c&quot;"),
    ("{{#yes}}{{#yes}}a{{/yes}}b{{/yes}}c", "abc"),
  ])
  func sections(template: String, expected: String) throws {
    #expect(try rendered(template) == expected)
  }

  @Test(arguments: [
    ("a\n{{#yes}}\nb\n{{/yes}}\nc\n", "a\nb\nc\n"),
    ("a\n  {{#yes}}  \n b\n\t{{/yes}}\nc", "a\n b\nc"),
    ("a\r\n{{#yes}}\r\nb\r\n{{/yes}}\r\nc", "a\r\nb\r\nc"),
    ("a {{#yes}}\nb\n{{/yes}}", "a \nb\n"),
    ("{{#no}}\na\n{{/no}}\nb", "b"),
    ("a\n{{! a comment }}\nb", "a\nb"),
    ("a {{! a comment }} b", "a  b"),
    ("a\n{{!\n over\n lines\n}}\nb", "a\nb"),
  ])
  func aTagWithALineForItselfLeavesNoLine(template: String, expected: String) throws {
    #expect(try rendered(template) == expected)
  }

  @Test(arguments: [
    ("[{{>row}}]", "<{{number}}>", "[<12>]"),
    ("{{#names}}{{>row}}{{/names}}", "<{{.}}>", "<ada><bob>"),
    ("a\n  {{>row}}\nb", "1\n2\n", "a\n  1\n  2\nb"),
    ("a\n  {{>row}}\nb", "{{#names}}\n{{.}}\n{{/names}}\n", "a\n  ada\n  bob\nb"),
    ("  {{number}} {{>row}}\n", "1\n2", "  12 1\n2\n"),
  ])
  func partials(template: String, partial: String, expected: String) throws {
    #expect(try rendered(template, ["row": partial]) == expected)
  }

  @Test(arguments: [
    ("{{<page}}{{/page}}", "<{{$title}}none{{/title}}>", "<none>"),
    ("{{<page}}{{$title}}{{number}}{{/title}}{{/page}}", "<{{$title}}none{{/title}}>", "<12>"),
    ("{{<page}}{{$title}}a{{/title}} ignored{{/page}}", "{{$title}}{{/title}}{{$title}}{{/title}}", "aa"),
    ("{{$title}}alone{{/title}}", "", "alone"),
    ("{{<page}}{{$title}}a{{/title}}{{/page}}{{<page}}{{/page}}", "{{$title}}b{{/title}}", "ab"),
  ])
  func aTemplateReplacesBlocksOfAnother(template: String, parent: String, expected: String) throws {
    #expect(try rendered(template, ["page": parent]) == expected)
  }

  @Test func ofSeveralTemplatesThatReplaceABlockTheOutermostWins() throws {
    let partials = [
      "page": "<{{$title}}page{{/title}}>", "section": "{{<page}}{{$title}}section{{/title}}{{/page}}",
    ]
    #expect(try rendered("{{<section}}{{/section}}", partials) == "<section>")
    #expect(try rendered("{{<section}}{{$title}}own{{/title}}{{/section}}", partials) == "<own>")
  }
}

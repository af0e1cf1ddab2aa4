import Foundation
import Testing

@testable import ReportRendering

@Suite struct TemplateLibraryTests {
  @Test func aFileOfTheFolderReplacesTheEmbeddedOne() throws {
    let folder = try TemporaryFolder()
    _ = try folder.write("{{title}} {{^absent}}-{{/absent}}".utf8, to: "name.mustache")
    _ = try folder.write("p { color: red }".utf8, to: "report.css")
    let library = try TemplateLibrary(overrides: folder.url)
    _ = try folder.write("exhibit = 1".utf8, to: "report.js")
    #expect(library.styleSheet == "p { color: red }")
    #expect(try TemplateLibrary(overrides: folder.url).script == scriptCodes() + "exhibit = 1")
    #expect(try library.text(["title": "<b>"], with: "name") == "&lt;b&gt; -")
  }

  @Test func everyTemplateEscapesAlsoInPartials() throws {
    let folder = try TemporaryFolder()
    _ = try folder.write("{{> outcome}}{{title}}".utf8, to: "name.mustache")
    _ = try folder.write("<i title=\"{{title}}\"></i>".utf8, to: "outcome.mustache")
    let text = try TemplateLibrary(overrides: folder.url).text(["title": "\"\u{301}>"], with: "name")
    #expect(Array(text.utf8) == Array("<i title=\"&quot;\u{301}&gt;\"></i>&quot;\u{301}&gt;".utf8))
  }

  @Test func noEmbeddedTemplateInsertsRawText() {
    for (name, text) in EmbeddedTemplates.files where name.hasSuffix(".mustache") {
      #expect(!text.contains("{{{") && !text.contains("{{&") && !text.contains(/CONTENT_TYPE/), "\(name)")
      #expect(!text.contains(/\sstyle=|<style|\son[a-z]+=/), "\(name)")
      let scripts = text.matches(of: /<script[^>]*>.{9}/).map { String($0.0) }
      let own = "<script src=\"{{base}}report.js\" nonce=\"{{nonce}}\" defer></script>"
      #expect(scripts == (name == "page.mustache" ? [own] : []), "\(name)")
    }
  }

  @Test(arguments: [
    ("a\n{{#list}}\n", 3, "a section is never closed"),
    ("a\nb {{/list}}", 2, "a section is closed by another name"),
    ("\n{{title", 2, "a tag has no end"),
    ("{{ a b }}", 1, "a tag has no end or a name Mustache does not allow"),
    ("a\n{{#yes}}{{{title}}}{{/yes}}", 2, "raw text is written {{&name}}, not {{{name}}},"),
    ("\n\n{{{title}}", 3, "raw text is written {{&name}}, not {{{name}}},"),
    ("a\n{{=<% %>=}}<%title%>", 2, "delimiters cannot be changed: write {{ and }}"),
  ])
  func badSyntaxNamesFileAndLine(text: String, line: Int, reason: String) throws {
    let folder = try TemporaryFolder()
    _ = try folder.write(text.utf8, to: "name.mustache")
    let error = try #require(throws: TemplateError.self) { try TemplateLibrary(overrides: folder.url) }
    guard case .syntax("name.mustache", line, _, reason) = error else {
      Issue.record("\(error)")
      return
    }
  }

  @Test func anErrorSaysWhereAndWhatToDo() throws {
    let folder = try TemporaryFolder()
    _ = try folder.write("\n<p>{{{title}}}</p>".utf8, to: "name.mustache")
    let error = try #require(throws: TemplateError.self) { try TemplateLibrary(overrides: folder.url) }
    #expect(
      "\(error)"
        == "name.mustache:2: raw text is written {{&name}}, not {{{name}}}, in “<p>{{{title}}}</p>”")
  }

  @Test(arguments: ["{{", "{{#", "{{>", "{{{", "{{=", "{{=a", "{{=a=}}", "{{%", "{{!", "{{<", "{{$", "{{*"])
  func aTemplateCutOffIsAnErrorAndNoCrash(text: String) throws {
    let folder = try TemporaryFolder()
    _ = try folder.write(text.utf8, to: "name.mustache")
    #expect(throws: TemplateError.self) { try TemplateLibrary(overrides: folder.url) }
  }

  @Test func aMisspeltFileIsNotIgnored() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("".utf8, to: "indexx.mustache")
    let error = try #require(throws: TemplateError.self) { try TemplateLibrary(overrides: folder.url) }
    guard case .unknown(file, let known) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(known.contains("index.mustache"))
  }

  @Test func aPartialThatIsNotThereNamesFileAndLine() throws {
    let folder = try TemporaryFolder()
    _ = try folder.write("\n{{> nothing }}".utf8, to: "name.mustache")
    #expect(throws: TemplateError.missingPartial(file: "name.mustache", line: 2, name: "nothing")) {
      try TemplateLibrary(overrides: folder.url)
    }
  }

  @Test func aFolderOrFileThatCannotBeReadIsNamed() throws {
    let folder = try TemporaryFolder()
    let missing = folder.url.appendingPathComponent("missing")
    let error = try #require(throws: TemplateError.self) { try TemplateLibrary(overrides: missing) }
    #expect(error.description.contains(missing.path))
    let file = try folder.write([0xFF, 0xFE, 0x00], to: "name.mustache")
    let unreadable = try #require(throws: TemplateError.self) { try TemplateLibrary(overrides: folder.url) }
    #expect(unreadable.description.contains(file))
  }

  @Test func aTemplateThatIsNotThereIsAnError() throws {
    #expect(throws: TemplateError.missing(name: "nothing")) {
      try TemplateLibrary().render([:], with: "nothing")
    }
  }
}

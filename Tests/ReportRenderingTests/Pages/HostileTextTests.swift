import Testing

@testable import ReportRendering
@testable import ReportTestSupport

/// Text from outside ends as text: what tags a page has is decided by the templates alone.
@Suite struct HostileTextTests {
  @Test func noTagAndNoAttributeComesFromOutside() throws {
    let templates = try TemplateLibrary()
    let known = try tags(renderPages(ordersReport(), templates: templates)).union(["ins /", "/ins"])
    for file in try renderPages(hostileReport(), templates: templates) where file.path.hasSuffix(".html") {
      for tag in Markup(file).tags {
        #expect(known.contains(tag.name), "<\(tag.name)> in \(file.path)")
        #expect(!tag.attributes.keys.contains { $0.hasPrefix("on") || $0 == "style" || $0 == "srcdoc" })
      }
    }
  }

  @Test func linksLeadNowhereElse() throws {
    for file in try renderPages(hostileReport(), templates: TemplateLibrary())
    where file.path.hasSuffix(".html") {
      for link in Markup(file).tags.compactMap({ $0.attributes["href"] }) {
        let isRelative = link.wholeMatch(of: /(\.\.\/)?[A-Za-z0-9._~%\/-]*(#[a-z0-9-]+)?/) != nil
        #expect(isRelative || link.hasPrefix("https://ci.example.org/"), "\(link)")
        #expect(!link.hasPrefix("../../") && !link.contains("/../"), "\(link)")
      }
    }
  }

  @Test func everyPageHasThePolicyAndOnlyItsOwnScript() throws {
    for file in try renderPages(hostileReport(), templates: TemplateLibrary())
    where file.path.hasSuffix(".html") {
      let tags = Markup(file).tags
      let policies = tags.filter { $0.attributes["http-equiv"] == "Content-Security-Policy" }
      #expect(policies.count == 1)
      #expect(
        policies.first?.attributes["content"]
          == "default-src 'none'; script-src 'nonce-fixed'; style-src 'self'; "
          + (file.path == "compare.html" ? "frame-src 'self'; " : "")
          + "base-uri 'none'; form-action 'none'")
      #expect(!tags.contains { $0.name == "style" || $0.name == "base" })
      let scripts = tags.filter { $0.name == "script" }
      #expect(scripts.count == 1)
      #expect(scripts.first?.attributes["nonce"] == "fixed")
      #expect(scripts.first?.attributes["src"]?.wholeMatch(of: /(\.\.\/)?report\.js/) != nil)
    }
  }

  @Test func noControlOrDirectionMarkIsLeft() throws {
    for file in try renderPages(hostileReport(), templates: TemplateLibrary()) + [
      renderSummary(hostileReport())
    ] {
      let text = String(decoding: file.contents, as: UTF8.self)
      for scalar in text.unicodeScalars where scalar != "\n" && scalar != "\t" {
        #expect(
          scalar.properties.generalCategory != .control && !scalar.properties.isBidiControl, "\(file.path)")
      }
    }
  }

  private func tags(_ files: [ReportFile]) throws -> Set<String> {
    Set(files.filter { $0.path.hasSuffix(".html") }.flatMap { Markup($0).tags.map(\.name) })
  }
}

import Collector
import Testing

@Suite struct TestIdentityTests {
  @Test func anEventStreamIdentityLosesItsSourceLocation() {
    let id = TestCaseID(eventStreamID: "SwTests.Cap/Inner/nested()/S.swift:32:19")
    #expect(id == TestCaseID(module: "SwTests", suite: ["Cap", "Inner"], name: "nested()"))
  }

  @Test func aFreeFunctionHasNoSuite() {
    let id = TestCaseID(eventStreamID: "SwTests.freePass()/S.swift:9:2")
    #expect(id == TestCaseID(module: "SwTests", suite: [], name: "freePass()"))
  }

  @Test func aSuiteHasNoSourceLocation() {
    let id = TestCaseID(eventStreamID: "SwTests.Cap/Inner")
    #expect(id == TestCaseID(module: "SwTests", suite: ["Cap"], name: "Inner"))
  }

  @Test func rawIdentifiersKeepTheirSeparators() {
    let id = TestCaseID(eventStreamID: "M.`raw suite. with/slash`/`a/b, c.d (e):1:2`()/Cases.swift:15:2")
    #expect(id == TestCaseID(module: "M", suite: ["`raw suite. with/slash`"], name: "`a/b, c.d (e):1:2`()"))
  }

  @Test(arguments: ["", "no module", ".", "M."]) func whatIsNoIdentityIsRefused(text: String) {
    #expect(TestCaseID(eventStreamID: text) == nil)
  }

  @Test func theAddressOfAPrivateTypeIsNoPartOfAName() {
    let context = "(unknown context at $557f0a1b2c3d)"
    let id = TestCaseID(
      module: "M", suite: [context, "Orders"], name: "test",
      argument: .init(description: "M.\(context).Kind.new, 5 $"))
    #expect(id.suite == ["Orders"] && id.argument?.description == "M.Kind.new, 5 $")
  }

  @Test func xunitAndEventStreamGiveTheSameIdentity() {
    let stream = TestCaseID(eventStreamID: "M.Orders/`raw suite. with/slash`/plain()/Cases.swift:89:6")
    #expect(TestCaseID(className: "M.Orders.`raw suite. with/slash`", name: "plain()") == stream)
  }
}

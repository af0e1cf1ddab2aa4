import GRDB
import Meter
import Testing

#if ATTACH
  import Attach

  @Suite(.attachOnFailure, .serialized) struct PassingTraitTests {}
#else
  @Suite(.serialized) struct PassingTraitTests {}
#endif

func insertTenRows() throws {
  Meter.mark()
  let queue = try DatabaseQueue()
  try queue.write { db in
    try db.execute(sql: "CREATE TABLE player(id INTEGER PRIMARY KEY, name TEXT)")
    for number in 0..<10 {
      try db.execute(sql: "INSERT INTO player(name) VALUES (?)", arguments: ["player \(number)"])
    }
  }
}

extension PassingTraitTests {
  @Test(arguments: 0..<500) func parameterised(number: Int) throws { try insertTenRows() }

  @Test func passes001() throws { try insertTenRows() }
  @Test func passes002() throws { try insertTenRows() }
  @Test func passes003() throws { try insertTenRows() }
  @Test func passes004() throws { try insertTenRows() }
  @Test func passes005() throws { try insertTenRows() }
  @Test func passes006() throws { try insertTenRows() }
  @Test func passes007() throws { try insertTenRows() }
  @Test func passes008() throws { try insertTenRows() }
  @Test func passes009() throws { try insertTenRows() }
  @Test func passes010() throws { try insertTenRows() }
  @Test func passes011() throws { try insertTenRows() }
  @Test func passes012() throws { try insertTenRows() }
  @Test func passes013() throws { try insertTenRows() }
  @Test func passes014() throws { try insertTenRows() }
  @Test func passes015() throws { try insertTenRows() }
  @Test func passes016() throws { try insertTenRows() }
  @Test func passes017() throws { try insertTenRows() }
  @Test func passes018() throws { try insertTenRows() }
  @Test func passes019() throws { try insertTenRows() }
  @Test func passes020() throws { try insertTenRows() }
  @Test func passes021() throws { try insertTenRows() }
  @Test func passes022() throws { try insertTenRows() }
  @Test func passes023() throws { try insertTenRows() }
  @Test func passes024() throws { try insertTenRows() }
  @Test func passes025() throws { try insertTenRows() }
  @Test func passes026() throws { try insertTenRows() }
  @Test func passes027() throws { try insertTenRows() }
  @Test func passes028() throws { try insertTenRows() }
  @Test func passes029() throws { try insertTenRows() }
  @Test func passes030() throws { try insertTenRows() }
  @Test func passes031() throws { try insertTenRows() }
  @Test func passes032() throws { try insertTenRows() }
  @Test func passes033() throws { try insertTenRows() }
  @Test func passes034() throws { try insertTenRows() }
  @Test func passes035() throws { try insertTenRows() }
  @Test func passes036() throws { try insertTenRows() }
  @Test func passes037() throws { try insertTenRows() }
  @Test func passes038() throws { try insertTenRows() }
  @Test func passes039() throws { try insertTenRows() }
  @Test func passes040() throws { try insertTenRows() }
  @Test func passes041() throws { try insertTenRows() }
  @Test func passes042() throws { try insertTenRows() }
  @Test func passes043() throws { try insertTenRows() }
  @Test func passes044() throws { try insertTenRows() }
  @Test func passes045() throws { try insertTenRows() }
  @Test func passes046() throws { try insertTenRows() }
  @Test func passes047() throws { try insertTenRows() }
  @Test func passes048() throws { try insertTenRows() }
  @Test func passes049() throws { try insertTenRows() }
  @Test func passes050() throws { try insertTenRows() }
  @Test func passes051() throws { try insertTenRows() }
  @Test func passes052() throws { try insertTenRows() }
  @Test func passes053() throws { try insertTenRows() }
  @Test func passes054() throws { try insertTenRows() }
  @Test func passes055() throws { try insertTenRows() }
  @Test func passes056() throws { try insertTenRows() }
  @Test func passes057() throws { try insertTenRows() }
  @Test func passes058() throws { try insertTenRows() }
  @Test func passes059() throws { try insertTenRows() }
  @Test func passes060() throws { try insertTenRows() }
  @Test func passes061() throws { try insertTenRows() }
  @Test func passes062() throws { try insertTenRows() }
  @Test func passes063() throws { try insertTenRows() }
  @Test func passes064() throws { try insertTenRows() }
  @Test func passes065() throws { try insertTenRows() }
  @Test func passes066() throws { try insertTenRows() }
  @Test func passes067() throws { try insertTenRows() }
  @Test func passes068() throws { try insertTenRows() }
  @Test func passes069() throws { try insertTenRows() }
  @Test func passes070() throws { try insertTenRows() }
  @Test func passes071() throws { try insertTenRows() }
  @Test func passes072() throws { try insertTenRows() }
  @Test func passes073() throws { try insertTenRows() }
  @Test func passes074() throws { try insertTenRows() }
  @Test func passes075() throws { try insertTenRows() }
  @Test func passes076() throws { try insertTenRows() }
  @Test func passes077() throws { try insertTenRows() }
  @Test func passes078() throws { try insertTenRows() }
  @Test func passes079() throws { try insertTenRows() }
  @Test func passes080() throws { try insertTenRows() }
  @Test func passes081() throws { try insertTenRows() }
  @Test func passes082() throws { try insertTenRows() }
  @Test func passes083() throws { try insertTenRows() }
  @Test func passes084() throws { try insertTenRows() }
  @Test func passes085() throws { try insertTenRows() }
  @Test func passes086() throws { try insertTenRows() }
  @Test func passes087() throws { try insertTenRows() }
  @Test func passes088() throws { try insertTenRows() }
  @Test func passes089() throws { try insertTenRows() }
  @Test func passes090() throws { try insertTenRows() }
  @Test func passes091() throws { try insertTenRows() }
  @Test func passes092() throws { try insertTenRows() }
  @Test func passes093() throws { try insertTenRows() }
  @Test func passes094() throws { try insertTenRows() }
  @Test func passes095() throws { try insertTenRows() }
  @Test func passes096() throws { try insertTenRows() }
  @Test func passes097() throws { try insertTenRows() }
  @Test func passes098() throws { try insertTenRows() }
  @Test func passes099() throws { try insertTenRows() }
  @Test func passes100() throws { try insertTenRows() }
  @Test func passes101() throws { try insertTenRows() }
  @Test func passes102() throws { try insertTenRows() }
  @Test func passes103() throws { try insertTenRows() }
  @Test func passes104() throws { try insertTenRows() }
  @Test func passes105() throws { try insertTenRows() }
  @Test func passes106() throws { try insertTenRows() }
  @Test func passes107() throws { try insertTenRows() }
  @Test func passes108() throws { try insertTenRows() }
  @Test func passes109() throws { try insertTenRows() }
  @Test func passes110() throws { try insertTenRows() }
  @Test func passes111() throws { try insertTenRows() }
  @Test func passes112() throws { try insertTenRows() }
  @Test func passes113() throws { try insertTenRows() }
  @Test func passes114() throws { try insertTenRows() }
  @Test func passes115() throws { try insertTenRows() }
  @Test func passes116() throws { try insertTenRows() }
  @Test func passes117() throws { try insertTenRows() }
  @Test func passes118() throws { try insertTenRows() }
  @Test func passes119() throws { try insertTenRows() }
  @Test func passes120() throws { try insertTenRows() }
  @Test func passes121() throws { try insertTenRows() }
  @Test func passes122() throws { try insertTenRows() }
  @Test func passes123() throws { try insertTenRows() }
  @Test func passes124() throws { try insertTenRows() }
  @Test func passes125() throws { try insertTenRows() }
  @Test func passes126() throws { try insertTenRows() }
  @Test func passes127() throws { try insertTenRows() }
  @Test func passes128() throws { try insertTenRows() }
  @Test func passes129() throws { try insertTenRows() }
  @Test func passes130() throws { try insertTenRows() }
  @Test func passes131() throws { try insertTenRows() }
  @Test func passes132() throws { try insertTenRows() }
  @Test func passes133() throws { try insertTenRows() }
  @Test func passes134() throws { try insertTenRows() }
  @Test func passes135() throws { try insertTenRows() }
  @Test func passes136() throws { try insertTenRows() }
  @Test func passes137() throws { try insertTenRows() }
  @Test func passes138() throws { try insertTenRows() }
  @Test func passes139() throws { try insertTenRows() }
  @Test func passes140() throws { try insertTenRows() }
  @Test func passes141() throws { try insertTenRows() }
  @Test func passes142() throws { try insertTenRows() }
  @Test func passes143() throws { try insertTenRows() }
  @Test func passes144() throws { try insertTenRows() }
  @Test func passes145() throws { try insertTenRows() }
  @Test func passes146() throws { try insertTenRows() }
  @Test func passes147() throws { try insertTenRows() }
  @Test func passes148() throws { try insertTenRows() }
  @Test func passes149() throws { try insertTenRows() }
  @Test func passes150() throws { try insertTenRows() }
  @Test func passes151() throws { try insertTenRows() }
  @Test func passes152() throws { try insertTenRows() }
  @Test func passes153() throws { try insertTenRows() }
  @Test func passes154() throws { try insertTenRows() }
  @Test func passes155() throws { try insertTenRows() }
  @Test func passes156() throws { try insertTenRows() }
  @Test func passes157() throws { try insertTenRows() }
  @Test func passes158() throws { try insertTenRows() }
  @Test func passes159() throws { try insertTenRows() }
  @Test func passes160() throws { try insertTenRows() }
  @Test func passes161() throws { try insertTenRows() }
  @Test func passes162() throws { try insertTenRows() }
  @Test func passes163() throws { try insertTenRows() }
  @Test func passes164() throws { try insertTenRows() }
  @Test func passes165() throws { try insertTenRows() }
  @Test func passes166() throws { try insertTenRows() }
  @Test func passes167() throws { try insertTenRows() }
  @Test func passes168() throws { try insertTenRows() }
  @Test func passes169() throws { try insertTenRows() }
  @Test func passes170() throws { try insertTenRows() }
  @Test func passes171() throws { try insertTenRows() }
  @Test func passes172() throws { try insertTenRows() }
  @Test func passes173() throws { try insertTenRows() }
  @Test func passes174() throws { try insertTenRows() }
  @Test func passes175() throws { try insertTenRows() }
  @Test func passes176() throws { try insertTenRows() }
  @Test func passes177() throws { try insertTenRows() }
  @Test func passes178() throws { try insertTenRows() }
  @Test func passes179() throws { try insertTenRows() }
  @Test func passes180() throws { try insertTenRows() }
  @Test func passes181() throws { try insertTenRows() }
  @Test func passes182() throws { try insertTenRows() }
  @Test func passes183() throws { try insertTenRows() }
  @Test func passes184() throws { try insertTenRows() }
  @Test func passes185() throws { try insertTenRows() }
  @Test func passes186() throws { try insertTenRows() }
  @Test func passes187() throws { try insertTenRows() }
  @Test func passes188() throws { try insertTenRows() }
  @Test func passes189() throws { try insertTenRows() }
  @Test func passes190() throws { try insertTenRows() }
  @Test func passes191() throws { try insertTenRows() }
  @Test func passes192() throws { try insertTenRows() }
  @Test func passes193() throws { try insertTenRows() }
  @Test func passes194() throws { try insertTenRows() }
  @Test func passes195() throws { try insertTenRows() }
  @Test func passes196() throws { try insertTenRows() }
  @Test func passes197() throws { try insertTenRows() }
  @Test func passes198() throws { try insertTenRows() }
  @Test func passes199() throws { try insertTenRows() }
  @Test func passes200() throws { try insertTenRows() }
}

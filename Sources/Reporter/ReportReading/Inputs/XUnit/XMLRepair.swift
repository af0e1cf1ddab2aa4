/// A correction of a malformed document.
enum XMLRepair: String, Sendable, CaseIterable {
  case controlCharacters = "control characters were removed"
  case escapeCharacters = "escape characters were read as a terminal's"
  case encoding = "bytes that are not UTF-8 were replaced"
  case escaping = "characters that were not escaped were read as text"
  case documentType = "a document type was left out"
  case entities = "the entities it declares were left out"
}

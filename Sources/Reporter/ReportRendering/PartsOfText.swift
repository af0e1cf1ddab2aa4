/// Those of some texts that there are, one behind the other; `nil` where there is none.
func joined(_ parts: [String?], by separator: String) -> String? {
  let told = parts.compactMap { $0 }
  return told.isEmpty ? nil : told.joined(separator: separator)
}

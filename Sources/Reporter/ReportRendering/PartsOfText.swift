/// The texts that are not `nil`, joined; `nil` where there is none.
func joined(_ parts: [String?], by separator: String) -> String? {
  let told = parts.compactMap { $0 }
  return told.isEmpty ? nil : told.joined(separator: separator)
}

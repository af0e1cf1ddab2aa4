/// Joins the texts that exist; `nil` without any.
func joined(_ parts: [String?], by separator: String) -> String? {
  let told = parts.compactMap { $0 }
  return told.isEmpty ? nil : told.joined(separator: separator)
}

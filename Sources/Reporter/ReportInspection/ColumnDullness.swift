/// How little a column tells of rows: 2 where it has no value, 1 where it has the same in all of several, else 0.
///
/// - Parameter values: One of each row; `nil` stands for NULL.
package func columnDullness<Value: Equatable>(_ values: some Collection<Value?>) -> Int {
  guard !values.isEmpty else { return 0 }
  guard let first = values.lazy.compactMap({ $0 }).first else { return 2 }
  return values.count == 1 || values.contains { $0 != first } ? 0 : 1
}

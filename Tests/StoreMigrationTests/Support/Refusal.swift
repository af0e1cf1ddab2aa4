import StoreMigration

/// Why a migration was refused; `nil` when it was not.
func reasonOfRefusal(_ body: () throws -> Void) -> StoreMigrationError.Reason? {
  do {
    try body()
    return nil
  } catch {
    return (error as? StoreMigrationError)?.reason
  }
}

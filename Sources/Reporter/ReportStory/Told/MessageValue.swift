package import ExhibitSQLite

/// A value of a failure's message that is looked for in the story.
package struct MessageValue: Sendable, Equatable {
  package enum Role: Sendable, Equatable {
    /// One side of the comparison, by its expression or its place in the assertion.
    case operand(String)
    /// The second number less the first.
    case difference
    /// One of the values that the message prints in another way.
    case printed
  }

  package var role: Role
  /// As the message prints it, without quotes and `Optional(…)`.
  package var text: String
  package var value: DatabaseValue
  /// True when it is found everywhere, as 1 is: then only rows that the test changed and its last read are searched.
  var isCommon: Bool
}

/// A place where a value of the message was found.
package struct MessageValuePlace: Sendable, Equatable {
  /// Index in the story's `messageValues`.
  package var value: Int
  package var place: Location

  package enum Location: Sendable, Hashable {
    /// In a row of a step's result.
    case result(step: Int, row: Int, column: Int)
    /// In a row that a step changed, as its last value or else as its first.
    case change(step: Int, table: StoryTable, key: Int64?, column: String, isNew: Bool)
    /// The sum of a column of a step's result, all of whose rows are known.
    case resultSum(step: Int, column: Int)
    /// The sum of a column of a table as it was captured.
    case tableSum(table: StoryTable, column: String)

    /// The step's number; `nil` for a sum of a table.
    package var step: Int? {
      switch self {
      case .result(let step, _, _), .change(let step, _, _, _, _), .resultSum(let step, _): step
      case .tableSum: nil
      }
    }
  }
}

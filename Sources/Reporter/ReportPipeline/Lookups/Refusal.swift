import Foundation

/// Why a command ends without a result; each has an exit code.
package enum Refusal: Error {
  case usage(String)
  case noInput(String)
  case cannotWrite(String)
  /// The user ended a program that it needs.
  case ended(status: Int32)

  /// Returns a body's result, and turns an error into a refusal.
  ///
  /// - Parameter loss: A sentence to put before the error's.
  static func catching<Answer>(
    _ refusal: (String) -> Refusal, _ loss: String = "", _ body: () throws -> Answer
  ) throws(Refusal) -> Answer {
    do {
      return try body()
    } catch let known as Refusal {
      throw known
    } catch {
      throw refusal(loss + error.sentence)
    }
  }
}

extension Error {
  /// Foundation's errors have a sentence; all others describe themselves.
  package var sentence: String {
    let isOfFoundation = self is CocoaError || self is DecodingError || type(of: self) is NSError.Type
    return isOfFoundation ? localizedDescription : "\(self)"
  }
}

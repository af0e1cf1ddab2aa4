#if GRDB
  public import Attach
  import Foundation
  public import GRDB

  extension Evidence {
    /// The database behind a `DatabaseQueue` or `DatabasePool`, also one in memory.
    ///
    /// It is read through GRDB, so also inside a transaction of the test and with `EXHIBIT_CAPTURE=registered`. A
    /// busy queue is waited for, two seconds at most.
    ///
    /// ```swift
    /// attachOnFailure(.database(queue))
    /// ```
    ///
    /// - Parameters:
    ///   - writer: The queue or pool; a closed one is captured from its file, where that exists.
    ///   - name: The name in the report; by default the file's name, `in-memory`, or `database` where connections
    ///     are not watched.
    public static func database(_ writer: some DatabaseWriter, named name: String? = nil) -> Evidence {
      QueueAccess(writer).evidence(named: name)
        ?? .database(at: URL(fileURLWithPath: writer.path), named: name)
    }
  }
#endif

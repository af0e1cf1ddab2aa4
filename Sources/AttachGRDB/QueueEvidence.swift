#if GRDB
  public import Attach
  import Foundation
  public import GRDB

  extension Evidence {
    /// The database behind a `DatabaseQueue` or `DatabasePool`, also one in memory.
    ///
    /// It is read as the queue itself reads it: even inside a transaction of the test, and where connections are not
    /// watched (`EXHIBIT_CAPTURE=registered`). A queue that another thread keeps busy is waited for, two seconds at
    /// most.
    ///
    /// ```swift
    /// attachOnFailure(.database(queue))
    /// ```
    ///
    /// - Parameters:
    ///   - writer: The queue or pool; a closed one is captured from its file, where that still exists.
    ///   - name: The name in the report; by default the name of the file, `in-memory`, or `database` where
    ///     connections are not watched.
    public static func database(_ writer: some DatabaseWriter, named name: String? = nil) -> Evidence {
      // A closed queue has no connection, but its file may still exist.
      QueueAccess(writer).evidence(named: name)
        ?? .database(at: URL(fileURLWithPath: writer.path), named: name)
    }
  }
#endif

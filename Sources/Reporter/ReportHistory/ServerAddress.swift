/// The address of a history on PostgreSQL, without secrets.
///
/// Syntax: https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING-URIS.
package struct ServerAddress: Sendable, Equatable {
  let text: String
  /// The address without parameters, for messages.
  package let name: String
  /// Its time limit in seconds, if any.
  let patience: Double?

  package struct Refusal: Error, Equatable, CustomStringConvertible {
    /// A sentence that repeats no secrets.
    package let description: String

    fileprivate init(_ description: String) { self.description = description }
  }

  /// True for an address rather than a path, even an invalid one, which may hold a password.
  package static func isAddress(_ text: String) -> Bool {
    decoded(text).contains(/:\/\/|^ *postgres(ql)?:.*@|password *=/.ignoresCase())
  }

  /// Decodes delimiters, even if escaped repeatedly.
  private static func decoded(_ part: some StringProtocol) -> String {
    var (text, last) = (String(part), "")
    while text != last {
      last = text
      for (escaped, sign) in [
        ("%3A", ":"), ("%3a", ":"), ("%40", "@"), ("%2F", "/"), ("%2f", "/"), ("%25", "%"),
      ] {
        text = text.replacing(escaped, with: sign)
      }
    }
    return text
  }

  private static let mostPatience = 60.0

  /// Allowed parameters; none is secret or runs programs.
  private static let keys: Set<String> = [
    "host", "hostaddr", "port", "dbname", "user", "connect_timeout", "sslmode", "sslnegotiation",
    "sslrootcert",
    "sslcert", "sslkey", "sslcrl", "sslcrldir", "sslsni", "ssl_min_protocol_version",
    "ssl_max_protocol_version",
    "channel_binding", "require_auth", "gssencmode", "krbsrvname", "target_session_attrs",
    "load_balance_hosts",
    "keepalives", "tcp_user_timeout", "application_name", "passfile",
  ]

  package init(_ text: String) throws(Refusal) {
    let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard text.contains(/^postgres(ql)?:\/\//), text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }),
      text.utf8.count <= 2000,
      let start = parts[0].firstRange(of: "://")?.upperBound
    else {
      throw Refusal(
        "The address of --history is none of PostgreSQL. It is postgresql://USER@HOST:PORT/DATABASE?KEY=VALUE, without spaces."
      )
    }
    let authority = parts[0][start...].prefix { $0 != "/" }
    let path = parts[0][authority.endIndex...]
    let user = authority.lastIndex(of: "@").map { authority[..<$0] } ?? ""
    let host = authority.dropFirst(user.isEmpty && authority.first != "@" ? 0 : user.count + 1)
    // An unescaped slash or at sign in a password would be misread.
    let isMistaken =
      user.contains { "@/".contains($0) } || Self.decoded(user).contains(":")
      || (Self.decoded(host) + Self.decoded(path)).contains("@")
    if isMistaken { throw Self.password }
    guard
      host.contains(
        /^(\[[0-9A-Fa-f:.%]*\]|[A-Za-z0-9._%~-]*)(:[0-9]*)?(,(\[[0-9A-Fa-f:.%]*\]|[A-Za-z0-9._%~-]*)(:[0-9]*)?)*$/
      )
    else { throw Refusal("The host or the port of the address of --history cannot be read.") }
    var patience: Double?
    for part in (parts.count > 1 ? parts[1] : "").split(separator: "&") {
      let key = String(part.prefix { $0 != "=" })
      let value = part.dropFirst(key.count + 1)
      if key.contains("password") { throw Self.password }
      guard Self.keys.contains(key) else {
        throw Refusal(
          "The address of --history has a key that is not taken. These are: \(Self.keys.sorted().joined(separator: ", "))."
        )
      }
      guard key == "connect_timeout" else { continue }
      guard let seconds = Double(value), 1...Self.mostPatience ~= seconds else {
        throw Refusal(
          "connect_timeout is from 1 to \(Int(Self.mostPatience)), the seconds that all work with the server takes."
        )
      }
      patience = seconds
    }
    (self.text, self.name, self.patience) = (text, String(parts[0]), patience)
  }

  private static let password = Refusal(
    "The address of --history has a password, which others could read in the list of processes. Give it in PGPASSWORD or in a "
      + "file of PGPASSFILE or ~/.pgpass, and the user alone in the address.")
}

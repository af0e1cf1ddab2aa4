import ExhibitCSystem

/// zlib, loaded when it is first asked for.
///
/// It is where libarchive is, which needs it.
struct DeflateLibrary: @unchecked Sendable {
  // Unchecked: a table of function pointers that never changes after loading.
  let functions: exhibit_zlib_functions

  /// The library of this process.
  ///
  /// - Throws: `ArchiveError` when it is not installed.
  static func loaded() throws -> DeflateLibrary { try result.get() }

  /// The checksum of bytes and `count` others behind them, from those of both.
  func checksum(of first: UInt32, followedBy second: UInt32, of count: Int) -> UInt32 {
    UInt32(functions.crc32_combine(UInt(first), UInt(second), count))
  }

  private static let result: Result<DeflateLibrary, ArchiveError> = {
    let functions = UnsafeMutablePointer<exhibit_zlib_functions>.allocate(capacity: 1)
    defer { functions.deallocate() }
    if let problem = exhibit_zlib_load(functions) {
      return .failure(
        ArchiveError(message: "zlib could not be loaded (\(String(cString: problem))); install zlib1g."))
    }
    return .success(DeflateLibrary(functions: functions.pointee))
  }()
}

/// One stream of zlib that compresses block after block, each for itself.
final class Deflater {
  private let library: DeflateLibrary
  /// On the heap: zlib remembers where it lies.
  private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
  /// Beyond the first level deflate costs more than it gains.
  private static let level: Int32 = 1
  /// Without zlib's own header, as a zip has it.
  private static let rawWindowBits: Int32 = -15
  private static let memoryLevel: Int32 = 8

  /// - Throws: `ArchiveError`.
  init(_ library: DeflateLibrary) throws {
    self.library = library
    stream.initialize(to: z_stream())
    let code = library.functions.deflateInit2_(
      stream, Self.level, Z_DEFLATED, Self.rawWindowBits, Self.memoryLevel, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size))
    guard code == Z_OK else {
      stream.deallocate()
      throw ArchiveError(message: "zlib could not be started (error \(code)).")
    }
  }

  deinit {
    _ = library.functions.deflateEnd(stream)  // a block that was not finished is of no interest
    stream.deallocate()
  }

  /// The most bytes that `count` bytes become.
  func bound(_ count: Int) -> Int {
    // zlib counts neither the empty block that ends a flush nor what many short stored blocks cost.
    Int(library.functions.deflateBound(stream, UInt(count))) + 1024
  }

  /// Compresses `input` and ends it at a byte's boundary, so that the next block can follow.
  ///
  /// - Parameters:
  ///   - dictionary: What lies before it in the file, at most 32 KiB.
  ///   - output: Of the size that `bound` says.
  /// - Returns: how many bytes it became.
  /// - Throws: `ArchiveError`.
  func deflate(
    _ input: UnsafeMutableRawBufferPointer, after dictionary: UnsafeMutableRawBufferPointer, isLast: Bool,
    into output: UnsafeMutableRawBufferPointer
  ) throws -> Int {
    try check(library.functions.deflateReset(stream), Z_OK)
    if !dictionary.isEmpty {
      let bytes = dictionary.assumingMemoryBound(to: UInt8.self)
      try check(
        library.functions.deflateSetDictionary(stream, bytes.baseAddress, UInt32(bytes.count)), Z_OK)
    }
    stream.pointee.next_in = input.assumingMemoryBound(to: UInt8.self).baseAddress
    stream.pointee.avail_in = UInt32(input.count)
    stream.pointee.next_out = output.assumingMemoryBound(to: UInt8.self).baseAddress
    stream.pointee.avail_out = UInt32(output.count)
    try check(
      library.functions.deflate(stream, isLast ? Z_FINISH : Z_SYNC_FLUSH), isLast ? Z_STREAM_END : Z_OK)
    // zlib has flushed everything only when it left room.
    guard stream.pointee.avail_in == 0, stream.pointee.avail_out > 0 else {
      throw ArchiveError(message: "zlib made more of \(input.count) bytes than it promised.")
    }
    return output.count - Int(stream.pointee.avail_out)
  }

  func checksum(_ bytes: UnsafeMutableRawBufferPointer) -> UInt32 {
    // Of no bytes zlib takes a null pointer for the question how a checksum begins, which is 0 too.
    UInt32(
      library.functions.crc32(0, bytes.assumingMemoryBound(to: UInt8.self).baseAddress, UInt32(bytes.count)))
  }

  private func check(_ code: Int32, _ expected: Int32) throws {
    guard code == expected else { throw ArchiveError(message: "zlib could not compress (error \(code)).") }
  }
}

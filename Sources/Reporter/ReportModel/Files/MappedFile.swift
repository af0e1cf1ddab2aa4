import ExhibitSystem
package import Foundation

package struct MappedFile: Sendable {
  package let bytes: Data
  private let address: UInt

  /// `nil` for a file that is empty or cannot be mapped.
  package init?(path: String) {
    guard let file = try? InputFile(link: path), file.status.bytes > 0 else { return nil }
    let size = file.status.bytes
    let mapped = withExtendedLifetime(file) { mmap(nil, size, PROT_READ, MAP_PRIVATE, file.descriptor, 0) }
    guard let start = mapped, start != MAP_FAILED else { return nil }
    address = UInt(bitPattern: start)
    bytes = Data(bytesNoCopy: start, count: size, deallocator: .unmap)
  }

  /// Frees the memory of bytes that were read; they can be read again.
  package func leave(upTo end: Int) {
    guard let start = UnsafeMutableRawPointer(bitPattern: address) else { return }
    _ = withExtendedLifetime(bytes) { madvise(start, min(end, bytes.count) & ~4095, MADV_DONTNEED) }
  }
}

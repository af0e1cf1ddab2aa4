import Foundation

/// Twelve photos in three albums; each picture is a grey bitmap.
enum Journey {
  struct Photo {
    var title: String
    var taken: String
    var albums: [String]
    /// Pixels on each side.
    var side: Int

    /// A portable greymap with a gradient.
    var picture: Data {
      let pixels = (0..<side * side).map { UInt8(($0 / side + $0 % side) * 255 / (2 * side)) }
      return Data("P5 \(side) \(side) 255\n".utf8) + Data(pixels)
    }
  }

  static let photos = [
    Photo(title: "Harbour", taken: "2025-06-02T08:12:00Z", albums: ["Islands", "Best"], side: 32),
    Photo(title: "Ferry", taken: "2025-06-02T09:40:00Z", albums: ["Islands"], side: 48),
    Photo(title: "Lighthouse", taken: "2025-06-03T20:05:00Z", albums: ["Islands"], side: 160),
    Photo(title: "Puffins", taken: "2025-06-04T11:31:00Z", albums: ["Islands", "Best"], side: 192),
    Photo(title: "Cliffs", taken: "2025-06-05T17:22:00Z", albums: ["Islands", "Best"], side: 128),
    Photo(title: "Rain", taken: "2025-06-06T10:01:00Z", albums: ["Islands"], side: 40),
    Photo(title: "First snow", taken: "2025-11-21T07:55:00Z", albums: ["Winter"], side: 144),
    Photo(title: "Frozen lake", taken: "2025-12-13T14:20:00Z", albums: ["Winter"], side: 176),
    Photo(title: "Sledges", taken: "2025-12-14T15:02:00Z", albums: ["Winter"], side: 56),
    Photo(title: "Cabin", taken: "2025-12-20T16:48:00Z", albums: ["Winter"], side: 136),
    Photo(title: "Candles", taken: "2025-12-24T17:00:00Z", albums: ["Winter"], side: 24),
    Photo(title: "Northern lights", taken: "2026-01-08T22:37:00Z", albums: ["Winter", "Best"], side: 200),
  ]
}

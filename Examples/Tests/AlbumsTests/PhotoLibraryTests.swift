import Albums
import Attach
import Foundation
import GRDB
import Testing

@Suite(.attachOnFailure) final class PhotoLibraryTests {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("Photos-\(UUID().uuidString)", isDirectory: true)
  private let library: PhotoLibrary

  init() throws {
    library = try PhotoLibrary(in: folder)
    attachOnFailure(.directory(at: folder, named: "Photos library"))
    for photo in Journey.photos {
      try library.add(photo.title, taken: photo.taken, picture: photo.picture, to: photo.albums)
    }
  }

  deinit {
    do {
      try FileManager.default.removeItem(at: folder)
    } catch {
      Issue.record(error)
    }
  }

  @Test(arguments: ["Harbour", "Lighthouse"])
  func aPictureComesBackAsItWas(title: String) throws {
    let photo = try #require(Journey.photos.first { $0.title == title })
    let picture = try library.picture(title)
    #expect(picture == photo.picture)
  }

  @Test func aPhotoInTwoAlbumsOutlivesOneOfThem() throws {
    try library.remove(album: "Islands")
    let best = try library.titles(in: "Best")
    #expect(best == ["Harbour", "Puffins", "Cliffs", "Northern lights"])
  }

  @Test func aRemovedAlbumLeavesNoFilesBehind() throws {
    try library.remove(album: "Winter")
    let orphans = try library.orphans()
    attach(.text(orphans.joined(separator: "\n"), named: "orphans.txt"))
    #expect(orphans == [])
  }
}

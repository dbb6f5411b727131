import ForeignExports
import Foundation
import NIOCore
import PhotolalaTesting
import Testing

@testable import PhotoCatalog
@testable import PhotoSync

struct EnteImporterTests {
    /// An export of the desktop app with a photo of two albums, and one of `ente export` with a Live Photo.
    private func device() throws -> ImportDevice {
        let device = try ImportDevice(.ente)
        func write(_ path: String, _ text: String) throws { try device.folder.write(path, Array(text.utf8)) }
        for album in ["Rome", "Favorites"] {
            try device.folder.write("desktop/\(album)/a.jpg", PhotoBytes.jpeg(1))
            try write("desktop/\(album)/metadata/a.jpg.json", EnteJSON.desktop("a.jpg", taken: EnteJSON.taken))
        }
        let albums = ["Rome", "Favorites"].map { ($0, ["7": "a.jpg"]) }
        try write("desktop/export_status.json", EnteJSON.record(albums))
        try device.folder.write("cli/Trip/b.jpg", PhotoBytes.jpeg(2))
        try write("cli/Trip/.meta/b.jpg.json", EnteJSON.cli(8, ["b.jpg"]))
        try write("cli/Trip/.meta/album_meta.json", #"{"id":1,"albumName":"Trip: 1"}"#)
        return device
    }

    @Test(
        "photos of both programs are imported once, with date, place, favorite and description; a second run adds nothing"
    )
    func both() async throws {
        let device = try device()
        #expect(try await device.run(["desktop", "cli"], isDryRun: true).backup.progress.uploadedFiles == 4)
        let summary = try await device.run(["desktop", "cli"])
        #expect(summary.backup.isComplete && summary.missingParts.isEmpty)
        let entries = try await device.entries()
        #expect(
            entries.keys.sorted() == [
                "G/2023/a.jpg", "G/2023/a.jpg.json", "G/2023/b.jpg", "G/2023/b.jpg.json", "G/Albums/Favorites/a.jpg",
                "G/Albums/Rome/a.jpg", "G/Albums/Trip: 1/b.jpg",
            ])
        #expect(entries["G/2023/a.jpg"]?.taken?.description == "2023-07-01T12:00:00Z")
        #expect(entries["G/2023/b.jpg"]?.media.location == GeoLocation(latitude: 48.5, longitude: 11.5))
        let favorite = try #require(entries["G/2023/a.jpg"]?.md5)
        #expect(try await device.catalogs.favorites().contents == [favorite])
        #expect(try await device.run(["desktop", "cli"]).backup.progress.uploadedFiles == 0)
        #expect(try await device.run(["cli"], state: "other").backup.progress.uploadedFiles == 0)
    }

    @Test("an export is refused by imports of other services, with its name, and theirs by this one")
    func otherServices() async throws {
        let device = try device()
        #expect(await device.error(["desktop"], as: .googlePhotos) == .otherService(.ente))
        #expect(await device.error(["cli"], as: .googlePhotos) == .otherService(.ente))
        #expect(await device.error(["cli"], as: .iCloud) == .otherService(.ente))
        let year = "takeout/Takeout/Google Photos/Photos from 2023"
        try device.folder.write("\(year)/a.jpg", PhotoBytes.jpeg(1))
        try device.folder.write("\(year)/a.jpg.json", TakeoutJSON.photo("a.jpg", taken: 5))
        #expect(await device.error(["takeout"]) == .otherService(.googlePhotos))
        try device.folder.write("photos/a.jpg", PhotoBytes.jpeg(1))
        #expect(await device.error(["photos"]) == .noPhotos)
    }
}

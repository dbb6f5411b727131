import ForeignExports
import Foundation
import NIOCore
import PhotolalaTesting
import Testing

@testable import PhotoCatalog
@testable import PhotoSync

/// Imports into a library that has photos at the same paths.
struct RepeatedImportTests {
    private func table(_ names: [String], _ date: String = "July 8,2017 5:24 PM") -> [UInt8] {
        Array(ICloudCSV.photos(names.map { ICloudCSV.row($0, date, "no,no,no") }).utf8)
    }

    private func digest(_ seed: Int, length: Int = 600) -> ContentDigest {
        ContentDigest(of: ByteBuffer(bytes: PhotoBytes.jpeg(seed, length: length)))
    }

    /// Writes the folder of an export with one photo.
    private func writeFolder(_ device: ImportDevice, _ seed: Int, length: Int = 600) throws {
        try device.folder.write("x/Photos/a.jpg", PhotoBytes.jpeg(seed, length: length))
        try device.folder.write("x/Photos/Photo Details.csv", table(["a.jpg"]))
    }

    @Test("a folder in which another export was unpacked replaces no photo", arguments: [600, 700])
    func sameFolder(_ length: Int) async throws {
        let device = try ImportDevice(.iCloud)
        try writeFolder(device, 1)
        _ = try await device.run(["x"])
        try FileManager.default.removeItem(atPath: device.folder.subpath("x"))
        try writeFolder(device, 2, length: length)
        let planned = try await device.run(["x"], isDryRun: true)
        #expect(planned.backup.planned.map(\.path.description) == ["G/2017/a (2).jpg"])
        let summary = try await device.run(["x"])
        #expect(summary.backup.isComplete && summary.backup.conflicts.isEmpty)
        let entries = try await device.entries()
        #expect(entries.mapValues(\.md5) == ["G/2017/a.jpg": digest(1), "G/2017/a (2).jpg": digest(2, length: length)])
        #expect(try await device.catalogs.load().catalog.trash.isEmpty)
        #expect(try await device.run(["x"]).backup.progress.uploadedFiles == 0)
        #expect(try await device.run(["x"], state: "other").backup.progress.uploadedFiles == 0)
        #expect(try await device.entries() == entries)
    }

    @Test("a Live Photo whose name another photo has keeps its halves and description together")
    func halves() async throws {
        let device = try ImportDevice(.googlePhotos)
        let year = "Takeout/Google Photos/Photos from 2023"
        try device.write("1.zip") {
            $0.add("\(year)/a.jpg", PhotoBytes.jpeg(1))
            $0.add("\(year)/a.jpg.json", TakeoutJSON.photo("a.jpg", taken: 1_688_212_800))
        }
        let video = PhotoBytes.box("ftyp", Array("qt  \0\0\0\0qt  ".utf8)) + PhotoBytes.box("mdat", [1, 2, 3])
        try device.write("2.zip") {
            $0.add("\(year)/a.jpg", PhotoBytes.jpeg(2))
            $0.add("\(year)/a.mov", video)
            $0.add("\(year)/a.jpg.json", TakeoutJSON.photo("a.jpg", taken: 1_688_300_000))
        }
        _ = try await device.run(["1.zip"])
        #expect(try await device.run(["2.zip"]).backup.isComplete)
        let entries = try await device.entries()
        #expect(
            entries.keys.sorted() == [
                "G/2023/a (2).jpg", "G/2023/a (2).jpg.json", "G/2023/a (2).mov", "G/2023/a.jpg", "G/2023/a.jpg.json",
            ])
        #expect(entries["G/2023/a (2).jpg"]?.md5 == digest(2) && entries["G/2023/a.jpg"]?.md5 == digest(1))
    }

    @Test("photos keep their names when more parts are given, also one in the trash and one that was deleted")
    func moreParts() async throws {
        let (device, names) = (try ImportDevice(.iCloud), ["a.jpg", "b.jpg", "c.jpg"])
        try device.write("1.zip") {
            for (seed, name) in names.enumerated() { $0.add("Photos/\(name)", PhotoBytes.jpeg(seed, length: 900)) }
            $0.add("Photos/Photo Details.csv", table(names))
        }
        // Shorter, so that these would be named first.
        try device.write("2.zip") {
            for (seed, name) in names.enumerated() { $0.add("Photos/\(name)", PhotoBytes.jpeg(10 + seed)) }
            $0.add("Photos/Photo Details.csv", table(names))
        }
        _ = try await device.run(["1.zip"])
        let before = try await device.entries()
        let trash = PhotoTrash(device.catalogs)
        for path in ["G/2017/b.jpg", "G/2017/c.jpg"] {
            var selection = PhotoSelection()
            selection.paths = [path]
            _ = try await trash.moveToTrash(selection) { _ in true }
        }
        #expect(try await device.run(["1.zip", "2.zip"], state: "other").backup.isComplete)
        let after = try await device.entries()
        #expect(after.keys.sorted() == ["G/2017/a (2).jpg", "G/2017/a.jpg", "G/2017/b (2).jpg", "G/2017/c (2).jpg"])
        #expect(after["G/2017/a.jpg"]?.md5 == before["G/2017/a.jpg"]?.md5)
        #expect(
            try await device.catalogs.load().catalog.trash.map(\.path.description) == ["G/2017/b.jpg", "G/2017/c.jpg"])
    }

    @Test("the description of an export is not placed beside the user's own photo of that name")
    func ownPhoto() async throws {
        let device = try ImportDevice(.googlePhotos)
        try device.folder.write("own/G/2023/a.jpg", PhotoBytes.jpeg(7, length: 650))
        let backup = Backup(
            store: device.store, user: .bob, stateFolder: device.folder.subpath("own-state"),
            settings: BackupSettings(), pause: .none, now: { Date(timeIntervalSince1970: 2_000_000_000) })
        _ = try await backup.run(folder: device.folder.subpath("own")) { _ in }
        let year = "Takeout/Google Photos/Photos from 2023"
        try device.write("1.zip") {
            $0.add("\(year)/a.jpg", PhotoBytes.jpeg(1))
            $0.add("\(year)/a.jpg.json", TakeoutJSON.photo("a.jpg", taken: 1_688_212_800))
        }
        _ = try await device.run(["1.zip"])
        #expect(
            try await device.entries().keys.sorted() == ["G/2023/a (2).jpg", "G/2023/a (2).jpg.json", "G/2023/a.jpg"])
    }
}

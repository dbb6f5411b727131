import ForeignExports
import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing

@testable import PhotoCatalog
@testable import PhotoSync

/// A Takeout in two parts.
extension ImportDevice {
    fileprivate static let year = "Takeout/Google Photos/Photos from 2023"
    fileprivate static let album = "Takeout/Google Photos/Trip"
    fileprivate static let taken = 1_688_212_800

    /// Photos in the first part; a description and an album in the second.
    fileprivate func writeParts() throws {
        try write("takeout-1-001.zip") {
            $0.add("\(Self.year)/a.jpg", PhotoBytes.jpeg(1), .deflated)
            $0.add("\(Self.year)/b.jpg", PhotoBytes.jpeg(2))
            $0.add("\(Self.year)/a.jpg.json", TakeoutJSON.photo("a.jpg", taken: Self.taken, #""favorited":true,"#))
        }
        try write("takeout-1-002.zip") {
            $0.add(
                "\(Self.year)/b.jpg.supplemental-metadata.json",
                TakeoutJSON.photo(
                    "b.jpg", taken: Self.taken + 60,
                    #""archived":true,"geoData":{"latitude":48.5,"longitude":11.5},"#))
            $0.add("\(Self.album)/metadata.json", TakeoutJSON.album("Summer"))
            $0.add("\(Self.album)/a.jpg", PhotoBytes.jpeg(1))
        }
    }

    fileprivate var parts: [String] { ["takeout-1-001.zip", "takeout-1-002.zip"] }
}

struct TakeoutImporterTests {
    @Test("photos get date, place and marks of a description in any part; equal contents are stored once")
    func parts() async throws {
        let device = try ImportDevice(.googlePhotos)
        try device.writeParts()
        let summary = try await device.run(device.parts)
        #expect(summary.backup.isComplete)
        let entries = try await device.entries()
        #expect(
            entries.keys.sorted() == [
                "G/2023/a.jpg", "G/2023/a.jpg.json", "G/2023/b.jpg", "G/2023/b.jpg.json", "G/Albums/Summer/a.jpg",
            ])
        let (first, second) = (entries["G/2023/a.jpg"], entries["G/2023/b.jpg"])
        #expect(first?.md5 == entries["G/Albums/Summer/a.jpg"]?.md5)
        #expect(first?.taken?.description == "2023-07-01T12:00:00Z")
        #expect(second?.taken?.description == "2023-07-01T12:01:00Z")
        #expect(second?.media.location == GeoLocation(latitude: 48.5, longitude: 11.5))
        #expect(first?.md5 == ContentDigest(of: ByteBuffer(bytes: PhotoBytes.jpeg(1))))
        #expect(summary.backup.progress.uploadedFiles == 4)
        #expect(entries["G/Albums/Summer/a.jpg"]?.taken == first?.taken)
        #expect(summary.findings.withoutDescription.isEmpty)
        #expect(try await device.catalogs.favorites().contents == Set([first?.md5].compactMap(\.self)))
        #expect(try await device.catalogs.hidden().contents == Set([second?.md5].compactMap(\.self)))
    }

    @Test("an archived photo that was shown again stays so when the import runs again")
    func shownAgain() async throws {
        let device = try ImportDevice(.googlePhotos)
        try device.writeParts()
        _ = try await device.run(device.parts)
        let hidden = try await device.catalogs.hidden().contents
        try await device.catalogs.setHidden(Dictionary(uniqueKeysWithValues: hidden.map { ($0, false) }))
        #expect(try await device.run(device.parts).backup.isComplete && hidden.count == 1)
        #expect(try await device.catalogs.hidden().contents.isEmpty)
    }

    @Test("a dry run changes nothing and predicts the import")
    func dryRun() async throws {
        let device = try ImportDevice(.googlePhotos)
        try device.writeParts()
        let planned = try await device.run(device.parts, isDryRun: true)
        #expect(planned.backup.planned.map(\.path.description).first == "G/2023/a.jpg")
        #expect(planned.backup.progress.uploadedFiles == 4)
        try device.write("other.zip") {
            $0.add("\(ImportDevice.year)/empty.jpg", [])
            $0.add("\(ImportDevice.year)/notes.txt", Array("no photo".utf8))
            $0.add("\(ImportDevice.year)/a.jpg", PhotoBytes.jpeg(1))
        }
        let other = try await device.run(["other.zip"], isDryRun: true).backup
        #expect(other.progress.uploadedFiles == 1 && other.leftOut.map(\.reason) == [.empty, .noPhotoOrVideo])
        #expect(try await device.entries().isEmpty)
        #expect(!FileManager.default.fileExists(atPath: device.folder.subpath("state")))
    }

    @Test("a second run uploads nothing, also on another device and of the unpacked folder")
    func again() async throws {
        let device = try ImportDevice(.googlePhotos)
        try device.writeParts()
        _ = try await device.run(device.parts)
        let before = try await device.entries()
        #expect(try await device.run(device.parts).backup.progress.uploadedFiles == 0)
        #expect(try await device.run(device.parts, state: "other").backup.progress.uploadedFiles == 0)
        let twice = try await device.run(device.parts + [device.parts[0]])
        #expect(twice.findings.repeatedFiles == 0 && twice.backup.progress.uploadedFiles == 0)
        let unpacked = "unpacked/part1/\(ImportDevice.year)"
        try device.folder.write("\(unpacked)/a.jpg", PhotoBytes.jpeg(1))
        try device.folder.write("\(unpacked)/a.jpg.json", TakeoutJSON.photo("a.jpg", taken: ImportDevice.taken))
        let folder = try await device.run(["unpacked"])
        #expect(folder.findings.mediaFiles == 1 && folder.backup.isComplete)
        #expect(try await device.entries()["G/2023/a.jpg"] == before["G/2023/a.jpg"])
    }

    @Test("an import that was cut off uploads only what is missing")
    func resume() async throws {
        let device = try ImportDevice(.googlePhotos)
        try device.write("takeout.zip") {
            for number in 0..<20 { $0.add("\(ImportDevice.year)/\(number).jpg", PhotoBytes.jpeg(number), .deflated) }
        }
        let task = Task {
            try await device.run(["takeout.zip"]) { event in
                if case .finished(_, _, let progress) = event, progress.finishedFiles == 5 {
                    withUnsafeCurrentTask { $0?.cancel() }
                }
            }
        }
        let first = try await task.value.backup
        #expect(first.ending == .cancelled)
        let second = try await device.run(["takeout.zip"]).backup
        #expect(second.isComplete)
        #expect(first.progress.uploadedFiles + second.progress.uploadedFiles == 20)
        #expect(try await device.entries().count == 20)
    }

    @Test("damaged, encrypted and impossible files fail alone")
    func damaged() async throws {
        let device = try ImportDevice(.googlePhotos)
        try device.write("takeout.zip") {
            $0.add("\(ImportDevice.year)/good.jpg", PhotoBytes.jpeg(1), .deflated)
            $0.add("\(ImportDevice.year)/bad.jpg", PhotoBytes.jpeg(2), .damaged)
            $0.add("\(ImportDevice.year)/bad.json", TakeoutJSON.photo("bad", taken: 1), .damaged)
            $0.add("\(ImportDevice.year)/secret.jpg", PhotoBytes.jpeg(3), .encrypted)
            $0.add("\(ImportDevice.year)/bomb.jpg", PhotoBytes.jpeg(4), .bomb)
            $0.add("\(ImportDevice.year)/text.jpg", Array("no photo".utf8))
        }
        let summary = try await device.run(["takeout.zip"])
        #expect(try await device.entries().keys.sorted() == ["G/2023/good.jpg"])
        #expect(summary.backup.failures.map(\.path.description) == ["G/2023/bad.jpg"])
        #expect(summary.backup.failures.first?.failure == .source(.damaged))
        #expect(summary.unreadable.map(\.reason) == [.member(.encrypted), .member(.suspiciousSize)])
        #expect(summary.findings.unreadableDescriptions == ["\(ImportDevice.year)/bad.json"])
        #expect(summary.backup.leftOut.map(\.reason) == [.unknownFormat])
    }

    @Test("what is no Takeout is refused with the reason")
    func unusable() async throws {
        let device = try ImportDevice(.googlePhotos)
        try device.folder.write("x.tgz", [0x1f, 0x8b, 8, 0])
        try device.folder.write("x.zip", Array("no archive".utf8))
        try device.write("empty.zip") { $0.add("Takeout/Drive/a.txt", [1]) }
        let path = device.folder.subpath
        #expect(await device.error(["x.tgz"]) == .compressedTar(path("x.tgz")))
        #expect(await device.error(["x.zip"]) == .archive(path("x.zip"), .noDirectory))
        #expect(await device.error(["missing.zip"]) == .file(path("missing.zip"), .missing))
        #expect(await device.error(["empty.zip"]) == .noPhotos)
    }

    @Test("a photo of the library with the same path is kept, and the imported one comes beside it")
    func takenPath() async throws {
        let device = try ImportDevice(.googlePhotos)
        for seed in [1, 2] {
            try device.write("takeout-\(seed).zip") { $0.add("\(ImportDevice.year)/a.jpg", PhotoBytes.jpeg(seed)) }
            #expect(try await device.run(["takeout-\(seed).zip"]).backup.isComplete)
        }
        let catalog = try await device.catalogs.load().catalog
        #expect(catalog.contents.count == 2)
        #expect(catalog.entries.count == 2)
    }
}

import ForeignExports
import Foundation
import NIOCore
import PhotolalaTesting
import Testing

@testable import PhotoCatalog
@testable import PhotoSync

struct ICloudImporterTests {
    private func table(_ names: [String], _ date: String = "July 8,2017 5:24 PM") -> [UInt8] {
        Array(ICloudCSV.photos(names.map { ICloudCSV.row($0, date, "no,no,no") }).utf8)
    }

    /// Two parts with different photos of one name, and an album in the second.
    private func device() throws -> ImportDevice {
        let device = try ImportDevice(.iCloud)
        try device.write("in/iCloud Photos Part 1 of 3.zip") {
            $0.add("Photos/a.jpg", PhotoBytes.jpeg(1), .deflated)
            $0.add("Photos/b.jpg", PhotoBytes.jpeg(2))
            $0.add("Photos/Photo Details.csv", table(["a.jpg", "b.jpg"]))
        }
        try device.write("in/iCloud Photos Part 2 of 3.zip") {
            $0.add("Photos/a.jpg", PhotoBytes.jpeg(3))
            $0.add("Photos/Photo Details.csv", table(["a.jpg"], "July 9,2018 5:24 PM"), .deflated)
            $0.add("Albums/Summer.csv", Array("Images\nb.jpg\n".utf8))
        }
        return device
    }

    private let parts = ["in/iCloud Photos Part 1 of 3.zip", "in/iCloud Photos Part 2 of 3.zip"]

    @Test("photos of all parts get the dates of their own table, and albums their photos; a second run uploads nothing")
    func parts() async throws {
        let device = try device()
        let planned = try await device.run(parts, isDryRun: true)
        #expect(try await device.entries().isEmpty && planned.backup.progress.uploadedFiles == 3)
        let summary = try await device.run(parts)
        #expect(summary.backup.isComplete && summary.missingParts == ["iCloud Photos Part 3 of 3"])
        let entries = try await device.entries()
        #expect(entries.keys.sorted() == ["G/2017/a.jpg", "G/2017/b.jpg", "G/2018/a.jpg", "G/Albums/Summer/b.jpg"])
        #expect(entries["G/2017/a.jpg"]?.md5 == ContentDigest(of: ByteBuffer(bytes: PhotoBytes.jpeg(1))))
        #expect(entries["G/2018/a.jpg"]?.taken?.description == "2018-07-09T17:24:00Z")
        #expect(entries["G/2017/b.jpg"]?.md5 == entries["G/Albums/Summer/b.jpg"]?.md5)
        #expect(try await device.run(parts.reversed()).backup.progress.uploadedFiles == 0)
        #expect(try await device.entries() == entries)
    }

    @Test("the archives in a folder are opened, without the files that were unpacked beside them")
    func folder() async throws {
        let device = try device()
        #expect(try await device.run(["in"]).backup.isComplete)
        let entries = try await device.entries()
        #expect(entries.keys.sorted() == ["G/2017/a.jpg", "G/2017/b.jpg", "G/2018/a.jpg", "G/Albums/Summer/b.jpg"])
        try device.folder.write("in/iCloud Photos Part 2 of 3/Photos/a.jpg", PhotoBytes.jpeg(3))
        try device.folder.write("in/broken.zip", Array("no archive".utf8))
        try device.write("in/whole.zip") { $0.add("whole/Photos/c.jpg", PhotoBytes.jpeg(4)) }
        try device.folder.write("in/whole/Photos/c.jpg", PhotoBytes.jpeg(4))
        let again = try await device.run(["in"], state: "other")
        #expect(again.findings.mediaFiles == 4 && again.unreadable.map(\.path) == ["broken.zip"])
        #expect(again.missingParts == ["iCloud Photos Part 3 of 3"])
        #expect(again.backup.progress.uploadedFiles == 1)
        #expect(try await device.entries().count == 5)
    }

    @Test("damaged and encrypted files fail alone, a damaged table is named")
    func damaged() async throws {
        let device = try ImportDevice(.iCloud)
        try device.write("x.zip") {
            $0.add("Photos/good.jpg", PhotoBytes.jpeg(1))
            $0.add("Photos/bad.jpg", PhotoBytes.jpeg(2), .damaged)
            $0.add("Photos/secret.jpg", PhotoBytes.jpeg(3), .encrypted)
            $0.add("Photos/Photo Details.csv", table(["good.jpg", "bad.jpg"]))
            $0.add("Photos/Photo Details-1.csv", table(["other.jpg"]), .damaged)
        }
        let summary = try await device.run(["x.zip"])
        #expect(try await device.entries().keys.sorted() == ["G/2017/good.jpg"])
        #expect(summary.backup.failures.map(\.path.description) == ["G/2017/bad.jpg"])
        #expect(summary.unreadable.map(\.path) == ["Photos/secret.jpg"])
        #expect(summary.findings.unreadableDescriptions == ["Photos/Photo Details-1.csv"])
    }

    @Test("an export of another service is refused with its name, and an empty archive without one")
    func otherServices() async throws {
        let device = try device()
        try device.write("takeout.zip") {
            $0.add("Takeout/Google Photos/Photos from 2023/a.jpg", PhotoBytes.jpeg(1))
            $0.add("Takeout/Google Photos/Photos from 2023/a.jpg.json", TakeoutJSON.photo("a.jpg", taken: 5))
        }
        try device.write("empty.zip") { _ in }
        #expect(await device.error(["takeout.zip"]) == .otherService(.googlePhotos))
        #expect(await device.error(parts, as: .googlePhotos) == .otherService(.iCloud))
        #expect(await device.error(["empty.zip"]) == .noPhotos)
    }
}

import Foundation
import PhotolalaTesting
import Testing

/// The capture date of a photo, from its bytes to the display.
@Suite(.serialized) struct DatesJourneyTests {
    /// Returns a JPEG with a capture time and its offset.
    private static func photo(_ clock: String, _ offset: String) -> Data {
        func big16(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 255), UInt8(value & 255)] }
        func big32(_ value: Int) -> [UInt8] { big16(value >> 16) + big16(value & 0xffff) }
        // The first IFD refers to the second one, and that one to the texts.
        let root = big16(1) + big16(0x8769) + big16(4) + big32(1) + big32(26) + big32(0)
        let exif =
            big16(2) + big16(0x9003) + big16(2) + big32(20) + big32(56) + big16(0x9011) + big16(2) + big32(7)
            + big32(76) + big32(0)
        let tiff = Array("MM\0*".utf8) + big32(8) + root + exif + Array("\(clock)\0\(offset)\0".utf8)
        let payload = Array("Exif\0\0".utf8) + tiff
        return Data([0xff, 0xd8, 0xff, 0xe1] + big16(payload.count + 2) + payload + [0xff, 0xda, 0, 2, 0xff, 0xd9])
    }

    private func withPhotos(_ test: (URL, ServerProcess, URL) async throws -> Void) async throws {
        try await withTemporaryFolder { folder, transport in
            let photos = folder.appendingPathComponent("photos")
            try FileManager.default.createDirectory(at: photos, withIntermediateDirectories: true)
            try Self.photo("2026:01:01 08:00:00", "+09:00").write(to: photos.appendingPathComponent("tokyo.jpg"))
            try Self.photo("2025:12:31 20:00:00", "-10:00").write(to: photos.appendingPathComponent("hawaii.jpg"))
            let server = try await ServerProcess(data: folder.appendingPathComponent("data"), transport: transport)
            try await test(folder, server, photos)
            #expect(server.stop() == 0)
        }
    }

    @Test("a photo from the morning of January 1 in Tokyo is listed under January 1 and found by that year")
    func list() async throws {
        try await withPhotos { folder, server, photos in
            let laptop = CommandLineDevice(profile: folder.appendingPathComponent("laptop"), server: server.address)
            #expect(try await laptop.run("signup", "--provider", "apple", "--dev-user", "bob").status == 0)
            let scan = try await laptop.run("local", "scan", photos.path, "--json")
            let scanned = try #require((try scan.json()["folders"] as? [[String: Any]])?.first)
            #expect(scanned["firstDate"] as? String == "2025-12-31T20:00:00-10:00")
            #expect(scanned["lastDate"] as? String == "2026-01-01T08:00:00+09:00")
            #expect(try await laptop.run("backup", photos.path, "--no-thumbnails").status == 0)

            let text = try await laptop.run("list", "--sort", "date")
            let lines = String(decoding: text.output, as: UTF8.self).split(separator: "\n")
            #expect(
                lines.map { "\($0.prefix(10)) \($0.split(separator: "\t").last ?? "")" } == [
                    "2025-12-31 hawaii.jpg", "2026-01-01 tokyo.jpg",
                ])
            let new = try await laptop.run("list", "--since", "2026", "--json")
            let found = try #require(try new.json()["photos"] as? [[String: Any]])
            #expect(found.map { $0["path"] as? String } == ["tokyo.jpg"])
            #expect(found.first?["taken"] as? String == "2026-01-01T08:00:00+09:00")
            let old = try await laptop.run("list", "--until", "2025-12", "--json")
            #expect((try old.json()["photos"] as? [[String: Any]])?.map { $0["path"] as? String } == ["hawaii.jpg"])

            let wrong = try await laptop.run("refresh-dates", "--zone", "Nowhere/Atall")
            #expect(wrong.status == 64)
            let again = try await laptop.run("refresh-dates", "--zone", "Asia/Tokyo", "--json")
            #expect(again.status == 0)
            #expect(try again.json()["wantedFiles"] as? Int == 0)
        }
    }

    @Test(
        "the portal shows the photo in January 2026, in a real browser",
        .enabled(if: PythonClient.hasBrowser, "run scripts/install-clients"))
    func portal() async throws {
        try await withPhotos { folder, server, photos in
            let variables = [
                "SERVER": server.address, "STORE": server.storageAddress, "PHOTOS": photos.path,
                "PHOTOLALA": try Products.executable("photolala").path,
            ]
            let run = try await PythonClient.walk("dates", variables, in: folder)
            #expect(run.status == 0 && run.output.hasSuffix("DONE\n"), "\(run.output)")
        }
    }
}

import Foundation
import PhotolalaTesting
import Testing

/// Bob takes everything with him, with the shipped programs.
@Suite struct ExportJourneyTests {
    @Test("an export has the photos with their dates, verifies, and is never overwritten")
    func complete() async throws {
        try await ExportJourney.run(photos: 5) { journey in
            let archive = journey.path("bob.zip")
            let exported = try await journey.laptop.run("export", "--to", archive, "--json")
            #expect(exported.status == 0, "\(exported.errors)")
            let report = try exported.json()
            #expect(report["photos"] as? Int == 5)
            let size = try FileManager.default.attributesOfItem(atPath: archive)[.size] as? Int
            #expect(report["bytes"] as? Int == size)
            let verified = try await journey.verify(archive)
            #expect(verified.status == 0, "\(verified.output)")
            let extracted = journey.path("own")
            _ = try await ChildProcess.run(
                URL(filePath: "/usr/bin/unzip"), ["-q", archive, "photos/*", "-x", "*.json", "-d", extracted],
                environment: ["LC_ALL": "C.UTF-8"])
            let photos = URL(filePath: extracted).appendingPathComponent("photos")
            #expect(try PhotoFolder.manifest(photos) == PhotoFolder.manifest(journey.photos))
            let again = try await journey.laptop.run("export", "--to", archive)
            #expect(again.status == 1 && again.errors.contains("already exists"), "\(again.errors)")
            #expect(try FileManager.default.attributesOfItem(atPath: archive)[.size] as? Int == size)
            let history = try await journey.laptop.run("history")
            #expect(history.text.contains("account exported"), "\(history.text)")
        }
    }

    @Test("an export that was broken off anywhere continues, and one that was damaged is repaired")
    func resume() async throws {
        try await ExportJourney.run(photos: 4) { journey in
            let archive = journey.path("bob.zip")
            #expect(try await journey.laptop.run("export", "--to", archive).status == 0)
            let (whole, content) = (try Data(contentsOf: URL(filePath: archive)), try await journey.content(archive))
            let first = try #require(whole.firstRange(of: Data("photos/2023/Summer/IMG_0.jpg".utf8)))
            // In the middle of the first photo, between photos, in the manifest, and in the central directory.
            for length in [first.lowerBound + 900, whole.count / 2, whole.count - 2000, whole.count - 40] {
                let other = journey.path("cut-\(length).zip")
                var bytes = whole.prefix(length)
                // A byte of the photo is wrong, as after a power failure.
                bytes[first.upperBound + 500] ^= 1
                try bytes.write(to: URL(filePath: "\(other).partial"))
                let resumed = try await journey.laptop.run("export", "--to", other)
                #expect(resumed.status == 0, "\(length): \(resumed.errors)")
                #expect(resumed.text.contains("when it was begun"), "\(length): \(resumed.text)")
                #expect(try await journey.content(other) == content, "\(length)")
                let verified = try await journey.verify(other)
                #expect(verified.status == 0, "\(length): \(verified.output)")
                #expect(!FileManager.default.fileExists(atPath: "\(other).partial"))
            }
            // Only the beginning of the head: the export starts over.
            let other = journey.path("start.zip")
            try whole.prefix(200).write(to: URL(filePath: "\(other).partial"))
            let new = try await journey.laptop.run("export", "--to", other)
            #expect(new.status == 0 && !new.text.contains("begun"), "\(new.text)")
        }
    }

    @Test("an export works while the deletion is scheduled, and says what it cannot do")
    func refusals() async throws {
        try await ExportJourney.run(photos: 2) { journey in
            let other = journey.path("notes.zip")
            try Data("something else".utf8).write(to: URL(filePath: "\(other).partial"))
            let refused = try await journey.laptop.run("export", "--to", other)
            #expect(refused.status == 1 && refused.errors.contains("not an unfinished export"), "\(refused.errors)")
            #expect(try Data(contentsOf: URL(filePath: "\(other).partial")) == Data("something else".utf8))
            let nowhere = try await journey.laptop.run("export", "--to", journey.path("missing/bob.zip"))
            #expect(nowhere.status == 1 && nowhere.errors.contains("no such folder"), "\(nowhere.errors)")
            let phone = CommandLineDevice(
                profile: journey.folder.appendingPathComponent("phone"), server: journey.server.address)
            #expect(try await phone.run("export", "--to", journey.path("a.zip")).status == 3)
            #expect(try await journey.laptop.run("delete-account", "--confirm", "DELETE").status == 0)
            #expect(try await phone.run("signin", "--provider", "apple", "--dev-user", "bob").status == 0)
            let late = try await phone.run("export", "--to", journey.path("late.zip"))
            #expect(late.status == 0, "\(late.errors)")
            #expect(try await journey.verify(journey.path("late.zip")).status == 0)
        }
    }

    @Test("missing and damaged photos are named, with exit status 2")
    func damaged() async throws {
        try await ExportJourney.run(photos: 3) { journey in
            let stored =
                FileManager.default.enumerator(atPath: journey.folder.appendingPathComponent("data").path)?
                .compactMap { $0 as? String }.filter { $0.hasSuffix(".dat") }.sorted() ?? []
            #expect(stored.count == 3)
            try FileManager.default.removeItem(atPath: journey.path("data/\(stored[0])"))
            let file = URL(filePath: journey.path("data/\(stored[1])"))
            var bytes = try Data(contentsOf: file)
            bytes[100] ^= 1
            try bytes.write(to: file)
            let archive = journey.path("bob.zip")
            let exported = try await journey.laptop.run("export", "--to", archive)
            #expect(exported.status == 2, "\(exported.errors)")
            #expect(exported.text.contains("damaged") && exported.text.contains("backup --verify"), "\(exported.text)")
            let verified = try await journey.verify(archive)
            #expect(verified.status == 3, "\(verified.output)")
        }
    }

    @Test("an import gives another account an equal library, and a second one changes nothing")
    func importing() async throws {
        try await ExportJourney.run(photos: 6) { journey in
            let laptop = journey.laptop
            #expect(try await laptop.run("trash", "put", "2023/Summer/IMG_2.jpg", "--yes").status == 0)
            #expect(try await laptop.run("favorite", "add", "2023/Summer/IMG_0.jpg").status == 0)
            #expect(try await laptop.run("hidden", "add", "2023/Summer/IMG_4.jpg").status == 0)
            #expect(try await laptop.run("album", "create", "Rome").status == 0)
            #expect(try await laptop.run("album", "add", "Rome", "2023/Summer/IMG_0.jpg").status == 0)
            let archive = journey.path("bob.zip")
            #expect(try await journey.laptop.run("export", "--to", archive).status == 0)
            let other = CommandLineDevice(
                profile: journey.folder.appendingPathComponent("eve"), server: journey.server.address)
            #expect(try await other.run("signup", "--provider", "google", "--dev-user", "eve").status == 0)
            let imported = try await other.run("import", archive, "--json")
            #expect(try await other.run("album", "list").text.contains("“Rome”, 1 photo"))
            #expect(imported.status == 0, "\(imported.errors)")
            #expect(try imported.json()["uploadedPhotos"] as? Int == 6)
            let own = try await journey.laptop.run("list", "--json").output
            #expect(try await other.run("list", "--json").output == own && own.count > 100)
            let trash = try await other.run("trash", "list")
            #expect(trash.text.contains("2023/Summer/IMG_2.jpg"), "\(trash.text)")
            let again = try await other.run("import", archive)
            #expect(again.status == 0 && again.text.contains("Imported 0 files"), "\(again.text)")
            #expect(try await other.run("trash", "put", "2023/Summer", "--yes").status == 0)
            #expect(try await other.run("trash", "purge", "--now", "--yes").status == 0)
            #expect(try await other.run("import", archive).status == 0, "also after photos were purged")
            #expect(try await other.run("list", "--json").output == own)
            let restored = journey.path("restored")
            #expect(try await other.run("restore", "--to", restored).status == 0)
            try FileManager.default.removeItem(at: journey.photos.appendingPathComponent("2023/Summer/IMG_2.jpg"))
            #expect(
                try PhotoFolder.manifest(URL(filePath: restored)) == PhotoFolder.manifest(journey.photos))
        }
    }

    @Test("an import leaves the library's own photos at their paths")
    func importBeside() async throws {
        try await ExportJourney.run(photos: 1) { journey in
            let archive = journey.path("bob.zip")
            #expect(try await journey.laptop.run("export", "--to", archive).status == 0)
            let other = CommandLineDevice(
                profile: journey.folder.appendingPathComponent("eve"), server: journey.server.address)
            #expect(try await other.run("signup", "--provider", "google", "--dev-user", "eve").status == 0)
            let own = journey.folder.appendingPathComponent("own/2023/Summer")
            try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
            let file = own.appendingPathComponent("IMG_0.jpg")
            try (Data([0xff, 0xd8, 0xff, 0xe0, 0, 16]) + Data(repeating: 9, count: 90)).write(to: file)
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1_000_000_000)], ofItemAtPath: file.path)
            #expect(try await other.run("backup", journey.path("own"), "--no-thumbnails").status == 0)
            let imported = try await other.run("import", archive)
            #expect(imported.status == 0 && imported.text.contains("in the folder Imported"), "\(imported.text)")
            #expect(try await other.run("import", archive).text.contains("Imported 0 files"))
            let restored = URL(filePath: journey.path("restored"))
            #expect(try await other.run("restore", "--to", restored.path).status == 0)
            let photos = try PhotoFolder.manifest(restored)
            #expect(photos["2023/Summer/IMG_0.jpg"]?.first == (try Data(contentsOf: file)).base64EncodedString())
            #expect(photos.keys.sorted() == ["2023/Summer/IMG_0.jpg", "Imported/2023/Summer/IMG_0.jpg"])
        }
    }

    @Test("an import refuses what is no complete export, and names a photo that is damaged in it")
    func importRefusals() async throws {
        try await ExportJourney.run(photos: 2) { journey in
            let archive = journey.path("bob.zip")
            #expect(try await journey.laptop.run("export", "--to", archive).status == 0)
            let whole = try Data(contentsOf: URL(filePath: archive))
            let other = CommandLineDevice(
                profile: journey.folder.appendingPathComponent("eve"), server: journey.server.address)
            #expect(try await other.run("signup", "--provider", "google", "--dev-user", "eve").status == 0)
            let place = try #require(whole.firstRange(of: Data("photos/2023/Summer/IMG_0.jpg".utf8)))
            var damaged = whole
            damaged[place.upperBound + 500] ^= 1
            let cases: [(Data, Int32, String)] = [
                (Data(), 1, "not complete"), (Data("notes".utf8), 1, "not a Photolala export"),
                (whole.prefix(300), 1, "not complete"), (whole.dropLast(), 1, "not complete"),
                (damaged, 2, "damaged in the archive"),
            ]
            for (bytes, status, message) in cases {
                let file = journey.path("other.zip")
                try bytes.write(to: URL(filePath: file))
                let refused = try await other.run("import", file)
                #expect(refused.status == status, "\(message): \(refused.errors)")
                #expect((refused.errors + refused.text).contains(message), "\(refused.errors) \(refused.text)")
            }
            let missing = try await other.run("import", journey.path("none.zip")).errors
            #expect(missing.contains("no such file") && !missing.contains("takeout"))
            let listed = try await other.run("list")
            #expect(listed.text.contains("IMG_1.jpg") && !listed.text.contains("IMG_0.jpg"), "\(listed.text)")
        }
    }
}

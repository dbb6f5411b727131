import Foundation
import PhotolalaTesting
import Testing

/// Bob leaves Google Photos, with the shipped programs.
@Suite struct TakeoutJourneyTests {
    private static let year = "Takeout/Google Photos/Photos from 2023"

    /// Writes a Takeout in two parts, with the numbers 1 and 3.
    private func writeParts(in folder: URL) throws -> [String] {
        var (first, second) = (ZipBuilder(), ZipBuilder())
        for number in 0..<30 {
            first.add("\(Self.year)/IMG_\(number).jpg", PhotoBytes.jpeg(number, length: 4000), .deflated)
            second.add(
                "\(Self.year)/IMG_\(number).jpg.supplemental-metadata.json",
                TakeoutJSON.photo(
                    "IMG_\(number).jpg", taken: 1_688_212_800 + number, number == 3 ? #""favorited":true,"# : ""))
        }
        second.add("Takeout/Google Photos/Rome/metadata.json", TakeoutJSON.album("Summer in Rome"))
        second.add("Takeout/Google Photos/Rome/IMG_3.jpg", PhotoBytes.jpeg(3, length: 4000))
        second.add("\(Self.year)/old.jpg", PhotoBytes.jpeg(99))
        second.add("\(Self.year)/old.jpg.json", TakeoutJSON.photo("old.jpg", taken: 5, #""trashed":true,"#))
        second.add("\(Self.year)/broken.jpg", PhotoBytes.jpeg(98), .damaged)
        return try [(1, first), (3, second)].map { number, builder in
            let file = folder.appendingPathComponent("takeout-20260101T000000Z-00\(number).zip")
            try Data(builder.bytes()).write(to: file)
            return file.path
        }
    }

    @Test(
        "a Takeout is predicted, imported and restored with its dates and favorites, and a second import adds nothing")
    func takeout() async throws {
        try await ExportJourney.run(photos: 1) { journey in
            let parts = try writeParts(in: journey.folder)
            let laptop = journey.laptop
            let dry = try await laptop.run(["import", "takeout", "--dry-run"] + parts)
            #expect(dry.status == 0, "\(dry.errors)")
            #expect(dry.text.contains("Dry run: nothing was changed."), "\(dry.text)")
            #expect(dry.text.contains("takeout-20260101T000000Z-002.zip"), "\(dry.text)")
            #expect(try await laptop.run("list", "--count").text.contains("1 file"))

            let imported = try await laptop.run(["import", "takeout", "--json"] + parts)
            #expect(imported.status == 2, "one photo is damaged: \(imported.errors)")
            let report = try imported.json()
            #expect(report["foundFiles"] as? Int == 33)
            #expect(report["trashed"] as? Int == 1)
            #expect(report["albums"] as? [String: Int] == ["Google Photos/Albums/Summer in Rome": 1])
            let photos = try #require(report["photos"] as? [String: Any])
            // 30 photos with as many descriptions.
            #expect(photos["uploadedFiles"] as? Int == 60)
            let failures = try #require(photos["failures"] as? [[String: Any]])
            #expect(failures.map { $0["path"] as? String } == ["Google Photos/2023/broken.jpg"])

            let listed = try await laptop.run("list", "--favorites", "--json").text
            #expect(listed.contains("Google Photos/Albums/Summer in Rome/IMG_3.jpg"), "\(listed)")
            #expect(listed.contains("2023-07-01T12:00:03"), "\(listed)")
            let albums = { () async throws in try await laptop.run("album", "list").text }
            #expect(try await albums().contains("“Summer in Rome”, 1 photo"))
            #expect(try await laptop.run("album", "rename", "summer in rome", "Ostia").status == 0)
            let again = try await laptop.run(["import", "takeout"] + parts)
            #expect(again.text.contains("Uploaded 0 of"), "\(again.text)")
            let kept = try await albums()
            #expect(kept.contains("“Ostia”, 1 photo") && !kept.contains("Rome"), "\(kept)")

            let restored = journey.path("restored")
            #expect(try await laptop.run("restore", "--to", restored).status == 0)
            let photo = URL(filePath: restored).appendingPathComponent("Google Photos/2023/IMG_3.jpg")
            #expect(try Data(contentsOf: photo) == Data(PhotoBytes.jpeg(3, length: 4000)))
        }
    }

    @Test("what is no Takeout is refused before anything is uploaded")
    func refusals() async throws {
        try await ExportJourney.run(photos: 1) { journey in
            let tar = journey.path("takeout-1-001.tgz")
            try Data([0x1f, 0x8b, 8, 0]).write(to: URL(filePath: tar))
            let refused = try await journey.laptop.run("import", "takeout", tar)
            #expect(refused.status != 0 && refused.errors.contains("Unpack it"), "\(refused.errors)")
            let nothing = try await journey.laptop.run("import", "takeout", journey.photos.path, "--into", "a/../b")
            #expect(nothing.status != 0 && nothing.errors.contains("not a folder of a library"), "\(nothing.errors)")
        }
    }
}

import Foundation
import PhotolalaTesting
import Testing

/// Bob leaves iCloud Photos, with the shipped programs.
@Suite struct ICloudJourneyTests {
    /// Writes the first two of three parts: the same names with other photos, an album, a hidden photo and one in the trash.
    private func writeParts(in folder: URL) throws {
        for part in 1...2 {
            var builder = ZipBuilder()
            let rows = (0..<10).map { number in
                ICloudCSV.row(
                    "IMG_\(number).JPG", "July \(part),2023 1:0\(number) PM", number == 3 ? "yes,yes,no" : "no,no,no")
            }
            for number in 0..<10 {
                builder.add("Photos/IMG_\(number).JPG", PhotoBytes.jpeg(part * 100 + number, length: 4000), .deflated)
            }
            builder.add("Photos/IMG_10\(part).JPG", PhotoBytes.jpeg(part * 100 + 50))
            let last = ICloudCSV.row("IMG_10\(part).JPG", "July \(part),2023 2:00 PM", "no,no,no")
            builder.add("Photos/Photo Details.csv", Array(ICloudCSV.photos(rows + [last]).utf8))
            builder.add("Recently Deleted/IMG_20\(part).JPG", PhotoBytes.jpeg(part * 100 + 51))
            builder.add("Albums/Rome.csv", Array("Images\nIMG_10\(part).JPG\nIMG_3.JPG\n".utf8))
            let file = folder.appendingPathComponent("iCloud Photos Part \(part) of 3.zip")
            try Data(builder.bytes()).write(to: file)
        }
    }

    @Test("a copy of iCloud Photos is predicted, imported and restored, and a second import adds nothing")
    func iCloud() async throws {
        try await ExportJourney.run(photos: 1) { journey in
            let folder = journey.folder.appendingPathComponent("downloads")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try writeParts(in: folder)
            let laptop = journey.laptop
            let dry = try await laptop.run("import", "icloud", "--dry-run", folder.path)
            #expect(dry.status == 0, "\(dry.errors)")
            #expect(dry.text.contains("Dry run: nothing was changed."), "\(dry.text)")
            #expect(dry.text.contains("iCloud Photos Part 3 of 3"), "\(dry.text)")
            #expect(try await laptop.run("list", "--count").text.contains("1 file"))

            let imported = try await laptop.run("import", "icloud", "--json", folder.path)
            #expect(imported.status == 0, "\(imported.errors)")
            let report = try imported.json()
            #expect(report["foundFiles"] as? Int == 24 && report["trashed"] as? Int == 2)
            #expect(report["hidden"] as? Int == 2 && report["favorites"] as? Int == 2)
            #expect(report["albums"] as? [String: Int] == ["iCloud Photos/Albums/Rome": 2])
            #expect((report["unresolvedAlbumPhotos"] as? [String])?.count == 2)
            let photos = try #require(report["photos"] as? [String: Any])
            #expect(photos["uploadedFiles"] as? Int == 22)

            let listed = try await laptop.run("list", "--favorites", "--json").text
            #expect(
                listed.contains("iCloud Photos/2023/IMG_3 (2).JPG") && listed.contains("2023-07-01T13:03:00"),
                "\(listed)")
            let again = try await laptop.run("import", "icloud", folder.path)
            #expect(again.text.contains("Uploaded 0 of"), "\(again.text)")

            let restored = journey.path("restored")
            #expect(try await laptop.run("restore", "--to", restored).status == 0)
            let photo = URL(filePath: restored).appendingPathComponent("iCloud Photos/Albums/Rome/IMG_101.JPG")
            #expect(try Data(contentsOf: photo) == Data(PhotoBytes.jpeg(150)))
        }
    }

    @Test("an export of another service is refused with the command for it")
    func refusals() async throws {
        try await ExportJourney.run(photos: 1) { journey in
            try writeParts(in: journey.folder)
            let part = journey.path("iCloud Photos Part 1 of 3.zip")
            let refused = try await journey.laptop.run("import", "takeout", part)
            #expect(refused.status != 0 && refused.errors.contains("photolala import icloud PATH"), "\(refused.errors)")
            let archive = try await journey.laptop.run("import", part)
            #expect(archive.status != 0 && archive.errors.contains("photolala import icloud"), "\(archive.errors)")
        }
    }
}

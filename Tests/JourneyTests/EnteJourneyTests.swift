import Foundation
import PhotolalaTesting
import Testing

/// Bob leaves Ente, with the shipped programs.
@Suite struct EnteJourneyTests {
    private func write(_ bytes: [UInt8], to path: String, in folder: URL) throws {
        let file = folder.appendingPathComponent(path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
    }

    /// Writes an export of the desktop app with photos of two albums each, and one in the trash.
    private func writeExport(in folder: URL) throws {
        for album in ["Rome", "Favorites"] {
            for number in 0..<10 {
                try write(PhotoBytes.jpeg(number, length: 4000), to: "\(album)/\(number).jpg", in: folder)
                let json = EnteJSON.desktop("\(number).jpg", taken: EnteJSON.taken + number)
                try write(Array(json.utf8), to: "\(album)/metadata/\(number).jpg.json", in: folder)
            }
        }
        try write(PhotoBytes.jpeg(99), to: "Trash/Rome/old.jpg", in: folder)
        let names = Dictionary(uniqueKeysWithValues: (0..<10).map { ("\($0 + 100)", "\($0).jpg") })
        let record = EnteJSON.record([("Rome", names), ("Favorites", names)])
        try write(Array(record.utf8), to: "export_status.json", in: folder)
    }

    @Test(
        "an export of Ente is predicted, imported and restored with each photo once, and a second import adds nothing")
    func ente() async throws {
        try await ExportJourney.run(photos: 1) { journey in
            let folder = journey.folder.appendingPathComponent("Ente Photos")
            try writeExport(in: folder)
            let laptop = journey.laptop
            let dry = try await laptop.run("import", "ente-export", "--dry-run", folder.path)
            #expect(dry.status == 0 && dry.text.contains("Dry run: nothing was changed."), "\(dry.text) \(dry.errors)")
            #expect(try await laptop.run("list", "--count").text.contains("1 file"))

            let imported = try await laptop.run("import", "ente-export", "--json", folder.path)
            #expect(imported.status == 0, "\(imported.errors)")
            let report = try imported.json()
            #expect(report["foundFiles"] as? Int == 21 && report["trashed"] as? Int == 1)
            #expect(report["albums"] as? [String: Int] == ["Ente/Albums/Favorites": 10, "Ente/Albums/Rome": 10])
            let photos = try #require(report["photos"] as? [String: Any])
            // 10 photos with as many descriptions.
            #expect(photos["uploadedFiles"] as? Int == 20)

            let listed = try await laptop.run("list", "--favorites", "--json").text
            #expect(listed.contains("Ente/2023/3.jpg") && listed.contains("2023-07-01T12:00:03"), "\(listed)")
            let again = try await laptop.run("import", "ente-export", folder.path)
            #expect(again.text.contains("Uploaded 0 of"), "\(again.text)")

            let restored = journey.path("restored")
            #expect(try await laptop.run("restore", "--to", restored).status == 0)
            let photo = URL(filePath: restored).appendingPathComponent("Ente/2023/3.jpg")
            #expect(try Data(contentsOf: photo) == Data(PhotoBytes.jpeg(3, length: 4000)))
        }
    }
}

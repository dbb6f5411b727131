import ForeignExports
import PhotolalaTesting
import Testing

@testable import PhotoCatalog
@testable import PhotoSync

/// Exports of Photolala, whose descriptions have the form of Google's.
@Suite struct OwnExportTests {
    private static let year = "Takeout/Google Photos/Photos from 2023"
    private static let files: [(path: String, bytes: [UInt8])] = [
        ("export.json", Array("{}".utf8)), ("verify-export", [1]), ("catalog.csv", [1]),
        ("photos/2023/a.jpg", PhotoBytes.jpeg(1)),
        ("photos/2023/a.jpg.json", TakeoutJSON.photo("a.jpg", taken: 1_688_212_800)),
    ]

    @Test("an export of Photolala is refused as an archive and unpacked", arguments: ForeignService.allCases)
    func ownExport(_ service: ForeignService) async throws {
        let device = try ImportDevice(service)
        for path in ["own.zip", "downloads/own.zip"] {
            if path.contains("/") { try device.folder.write("downloads/note.txt", [1]) }
            try device.write(path) { zip in for file in Self.files { zip.add(file.path, file.bytes) } }
        }
        for (path, bytes) in Self.files {
            try device.folder.write("unpacked/\(path)", bytes)
            try device.folder.write("nested/unpacked/\(path)", bytes)
        }
        #expect(await device.error(["own.zip"]) == .ownExport(.archive))
        #expect(await device.error(["downloads"]) == .ownExport(.archive))
        #expect(await device.error(["unpacked"]) == .ownExport(.folder))
        #expect(await device.error(["nested"]) == .ownExport(.folder))
    }

    @Test("a date later than tomorrow is reported, and the photo has its own date")
    func future() async throws {
        let device = try ImportDevice(.googlePhotos)
        try device.folder.write("t/\(Self.year)/a.jpg", PhotoBytes.jpeg(1))
        let description = TakeoutJSON.photo("a.jpg", taken: 2_100_000_000)
        try device.folder.write("t/\(Self.year)/a.jpg.json", description)
        let summary = try await device.run(["t"])
        #expect(summary.findings.unreadableDates.count == 1)
        #expect(try await device.entries()["G/2023/a.jpg"].map { $0.taken == nil } == true)
    }
}

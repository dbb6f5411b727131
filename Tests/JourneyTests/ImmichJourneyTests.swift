import Foundation
import HTTPTypes
import PhotolalaTesting
import Testing
import Transport

/// Bob leaves Immich, with the shipped programs.
@Suite struct ImmichJourneyTests {
    private static func photos() -> [FakeImmich.Asset] {
        var photos = (10..<40).map {
            FakeImmich.Asset($0, "IMG_\($0).jpg", bytes: PhotoBytes.jpeg($0, length: 100 * $0))
        }
        photos[3].isFavorite = true
        photos[4].isTrashed = true
        photos[5].caption = "By the lake"
        photos[6].replaced = ["checksum": "AAAAAAAAAAAAAAAAAAAAAAAAAAA="]
        photos[7].visibility = "archive"
        photos[8].owner = FakeImmich.id(2)
        return photos
    }

    private static func write(_ key: String, to path: String) throws -> String {
        try Data("\(key)\n".utf8).write(to: URL(filePath: path))
        return path
    }

    @Test("an Immich account is predicted, imported and restored, and a second import adds only what is new")
    func immich() async throws {
        try await ExportJourney.run(photos: 1) { journey in
            let fake = FakeImmich(Self.photos(), albums: [FakeImmich.Album(90, "Summer in Rome", [13, 17])])
            fake.state.withLock { $0.largestPage = 7 }
            let key = try Self.write(FakeImmich.key, to: journey.path("immich.key"))
            try await fake.listening { address in
                let laptop = journey.laptop
                let command = ["import", "immich", address, "--api-key-file", key]
                let dry = try await laptop.run(command + ["--dry-run"])
                #expect(dry.status == 0 && dry.text.contains("Dry run: nothing was changed."), "\(dry.errors)")
                #expect(dry.text.contains("In the trash of Immich (not imported"), "\(dry.text)")
                #expect(fake.state.withLock { $0.requests.allSatisfy { !$0.url.hasSuffix("/original") } })

                let imported = try await laptop.run(command + ["--json"])
                #expect(imported.status == 2, "one photo is damaged: \(imported.errors)")
                try await OutputSchema.expectValid([("import-immich", imported.text)], in: journey.folder)
                let report = try imported.json()
                #expect(report["foundPhotos"] as? Int == 28 && report["fromPartners"] as? Int == 1)
                #expect(report["albums"] as? [String: Int] == ["Immich/Albums/Summer in Rome": 2])
                let albums = try await laptop.run("album", "list").text
                #expect(albums.contains("“Summer in Rome”, 2 photos"), "\(albums)")
                let photos = try #require(report["photos"] as? [String: Any])
                #expect(photos["uploadedFiles"] as? Int == 28, "27 photos and a caption")
                let failures = try #require(photos["failures"] as? [[String: Any]])
                #expect(failures.map { $0["path"] as? String } == ["Immich/2023/IMG_16.jpg"])

                fake.state.withLock { $0.assets.append(FakeImmich.Asset(41, "IMG_41.jpg")) }
                let again = try await laptop.run(command)
                #expect(again.text.contains("Uploaded 1 of"), "\(again.text) \(again.errors)")
                #expect(!again.errors.contains(FakeImmich.key) && !again.text.contains(FakeImmich.key))

                let restored = journey.path("restored")
                #expect(try await laptop.run("restore", "--to", restored).status == 0)
                let photo = URL(filePath: restored).appendingPathComponent("Immich/Albums/Summer in Rome/IMG_13.jpg")
                #expect(try Data(contentsOf: photo) == Data(PhotoBytes.jpeg(13, length: 1300)))
            }
        }
    }

    @Test("a wrong key, a missing permission, a redirect and a server that is none end with the reason")
    func refusals() async throws {
        try await ExportJourney.run(photos: 1) { journey in
            let fake = FakeImmich()
            let right = try Self.write(FakeImmich.key, to: journey.path("immich.key"))
            let wrong = try Self.write("other", to: journey.path("wrong.key"))
            let laptop = journey.laptop
            try await fake.listening { address in
                let refused = try await laptop.run("import", "immich", address, "--api-key-file", wrong)
                #expect(
                    refused.status != 0 && refused.errors.contains("does not accept the API key"), "\(refused.errors)")
                fake.state.withLock { _ = $0.permissions.remove("album.read") }
                let denied = try await laptop.run("import", "immich", address, "--api-key-file", right)
                #expect(denied.errors.contains("does not have the permission album.read"), "\(denied.errors)")
                fake.state.withLock { $0.major = 99 }
                let newer = try await laptop.run("import", "immich", address, "--api-key-file", right)
                #expect(newer.status == 1 && newer.errors.contains("only versions 2 to 3"), "\(newer.errors)")
                fake.state.withLock { $0.major = 2 }
                fake.state.withLock { state in
                    let headers: HTTPFields = [.location: "https://elsewhere.example/"]
                    let moved = TransportResponse.text("", status: 302, type: "text/plain", more: headers)
                    state.next["/users/me"] = [.success(moved)]
                }
                let moved = try await laptop.run("import", "immich", "\(address)/api/", "--api-key-file", right)
                #expect(moved.errors.contains("redirects to https://elsewhere.example/"), "\(moved.errors)")
            }
            let absent = try await laptop.run("import", "immich", "http://127.0.0.1:1", "--api-key-file", right)
            let reason = "annot reach the Immich server at http://127.0.0.1:1: connection refused."
            #expect(absent.status == 7 && absent.errors.contains(reason), "\(absent.errors)")
            #expect(!absent.errors.contains("--server") && !absent.errors.contains("NIO"), "\(absent.errors)")
            let other = try await laptop.run("import", "immich", journey.server.address, "--api-key-file", right)
            #expect(other.errors.contains("There is no Immich server at this address"), "\(other.errors)")
        }
    }
}

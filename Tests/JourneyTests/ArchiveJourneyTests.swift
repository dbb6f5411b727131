import Foundation
import PhotolalaTesting
import Testing

/// Photos that a lifecycle rule has moved to an archive, through the shipped command line.
@Suite(
    .serialized, .enabled(if: PythonClient.program != nil, "run scripts/install-clients")
) struct ArchiveJourneyTests {
    private func withArchive(_ test: (URL, ArchiveProxy, CommandLineDevice) async throws -> Void) async throws {
        try await withTemporaryFolder { folder, transport in
            let data = folder.appendingPathComponent("data")
            try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
            let port = try freePort()
            let proxy = try await ArchiveProxy(before: port, in: folder)
            defer { proxy.stop() }
            let server = try await ServerProcess(
                data: data, transport: transport,
                variables: ["PHOTOLALA_S3_ENDPOINT": proxy.address, "PHOTOLALA_S3_LISTEN": "127.0.0.1:\(port)"])
            defer { server.kill() }
            let laptop = CommandLineDevice(profile: folder.appendingPathComponent("laptop"), server: server.address)
            #expect(try await laptop.run("signup", "--provider", "apple", "--dev-user", "bob").status == 0)
            try await test(folder, proxy, laptop)
        }
    }

    private func states(_ run: CommandLineDevice.Run) throws -> [String?] {
        try #require(try run.json()["archived"] as? [[String: Any]]).map { $0["state"] as? String }
    }

    @Test("Bob sees which photos are archived, requests them once and restores them later")
    func askedBack() async throws {
        try await withArchive { folder, proxy, laptop in
            let (photos, target) = (folder.appendingPathComponent("photos"), folder.appendingPathComponent("restored"))
            try PhotoFolder.make(12, in: photos)
            let backup = try await laptop.run("backup", photos.path, "--no-thumbnails", "--json")
            #expect(backup.status == 0, "\(backup.errors)")
            let list = try #require(try await laptop.run("list", "--json").json()["photos"] as? [[String: Any]])
            try proxy.archive(list.prefix(9).compactMap { $0["md5"] as? String })

            let told = try await laptop.run("restore", "--to", target.path, "--json")
            #expect(told.status == 2, "\(told.errors)")
            #expect(try told.json()["restoredFiles"] as? Int == 3)
            #expect(try states(told) == Array(repeating: "archived", count: 9))
            #expect(try (told.json()["failures"] as? [Any])?.isEmpty == true)
            let text = String(decoding: try await laptop.run("restore", "--to", target.path).output, as: UTF8.self)
            #expect(text.contains("9 files not restored (archived)") && text.contains("--request-archived"))
            #expect(try await laptop.run("restore", "--to", target.path, "--request-archived", "--dry-run").status == 0)
            #expect(proxy.requests.isEmpty)

            let ask = ["restore", "--to", target.path, "--request-archived", "--speed", "bulk", "--days", "3"]
            let asked = try await laptop.start(ask + ["--json"]).finish()
            #expect(asked.status == 2, "\(asked.errors)")
            #expect(try asked.json()["askedBackFiles"] as? Int == 9)
            #expect(try asked.json()["comeAgainAfter"] as? Int == 12 * 3600)
            let document =
                #"<RestoreRequest xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Days>3</Days>"#
                + "<GlacierJobParameters><Tier>Bulk</Tier></GlacierJobParameters></RestoreRequest>"
            #expect(proxy.requests == Array(repeating: document, count: 9))

            #expect(
                try states(try await laptop.start(ask + ["--json"]).finish()) == Array(repeating: "onItsWay", count: 9))
            let verified = try await laptop.run("verify", "--all", "--json")
            #expect(verified.status == 0)
            #expect(try verified.json()["checkedFiles"] as? Int == 3)
            #expect(try (verified.json()["archived"] as? [Any])?.count == 9)
            let checked = try await laptop.run("backup", photos.path, "--verify", "--no-thumbnails", "--json")
            #expect(checked.status == 0)
            #expect(try checked.folder("archivedFiles") == 9)
            #expect(try checked.folder("uploadedFiles") == 0)

            try proxy.completeRestores()
            let last = try await laptop.start(ask).finish()
            #expect(last.status == 0, "\(last.errors)")
            #expect(try PhotoFolder.manifest(target) == (try PhotoFolder.manifest(photos)))
            #expect(proxy.requests.count == 9)
        }
    }
}

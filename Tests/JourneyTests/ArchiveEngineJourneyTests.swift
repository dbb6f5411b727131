import Foundation
import PhotolalaTesting
import Testing

/// Photos in S3 Glacier Deep Archive, on an S3 engine that has this class: the shipped server, command line and portal.
@Suite(.serialized, .enabled(if: ArchiveEngine.isInstalled, "run scripts/install-clients"))
struct ArchiveEngineJourneyTests {
    private func withEngine(
        _ test: (URL, ArchiveEngine, ServerProcess, CommandLineDevice) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder, transport in
            let engine = try await ArchiveEngine(in: folder)
            defer { engine.stop() }
            let server = try await ServerProcess(bucket: engine.serverVariables, transport: transport)
            defer { server.kill() }
            let laptop = CommandLineDevice(profile: folder.appendingPathComponent("laptop"), server: server.address)
            #expect(try await laptop.run("signup", "--provider", "apple", "--dev-user", "bob").status == 0)
            let photos = folder.appendingPathComponent("photos")
            try PhotoFolder.make(20, in: photos)
            let backup = try await laptop.run("backup", photos.path, "--no-thumbnails", "--json")
            #expect(backup.status == 0, "\(backup.errors)")
            #expect(try await engine.archivePhotos() == 20)
            try await test(folder, engine, server, laptop)
        }
    }

    private func numbers(_ run: CommandLineDevice.Run, _ names: String...) throws -> [Int?] {
        let report = try run.json()
        return names.map { report[$0] as? Int }
    }

    @Test("Bob estimates, recalls all photos from a deep archive and restores them")
    func commandLine() async throws {
        try await withEngine { folder, engine, _, laptop in
            let target = folder.appendingPathComponent("restored")
            let told = try await laptop.run("restore", "--to", target.path)
            #expect(told.status == 2 && told.text.contains("20 files not restored (archived)"), "\(told.errors)")
            #expect(told.text.contains("photolala recall --dry-run"))

            let estimate = try await laptop.run("recall", "--dry-run", "--json")
            #expect(estimate.status == 0, "\(estimate.errors)")
            #expect(try numbers(estimate, "wantedFiles", "archivedFiles", "readableFiles") == [20, 20, 0])
            let options = try #require(try estimate.json()["options"] as? [[String: Any]])
            #expect(options.map { $0["speed"] as? String } == ["bulk", "standard"])
            #expect(options.map { $0["seconds"] as? Int } == [48 * 3600, 12 * 3600])
            #expect(engine.requests.isEmpty)

            let fast = try await laptop.run("recall", "--speed", "expedited", "--json")
            #expect(fast.status == 2)
            #expect(try (fast.json()["failures"] as? [Any])?.count == 20)
            let list = try #require(try await laptop.run("list", "--json").json()["photos"] as? [[String: Any]])
            let first = try list.prefix(2).map { try #require($0["path"] as? String) }
            let some = try await laptop.run(["recall", "--speed", "bulk", "--days", "3", "--json"] + first)
            #expect(some.status == 0, "\(some.errors)")
            #expect(try numbers(some, "askedBackFiles", "comeAgainAfter") == [2, 48 * 3600])
            let document =
                #"<RestoreRequest xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Days>3</Days>"#
                + "<GlacierJobParameters><Tier>Bulk</Tier></GlacierJobParameters></RestoreRequest>"
            #expect(engine.requests == [document, document])

            let all = try await laptop.run("recall", "--json")
            #expect(try numbers(all, "askedBackFiles", "onItsWayFiles", "comeAgainAfter") == [18, 2, 12 * 3600])
            let again = try await laptop.run("recall")
            #expect(again.status == 0 && again.text.contains("20 photos requested earlier, retrieval in progress."))
            #expect(engine.requests.count == 20)
            #expect(try await laptop.run("restore", "--to", target.path, "--request-archived").status == 2)
            #expect(engine.requests.count == 20)

            try Data().write(to: engine.completion)
            #expect(try await laptop.run("recall").text == "No photos requested.\n20 photos available now.\n")
            let last = try await laptop.run("restore", "--to", target.path)
            #expect(last.status == 0, "\(last.errors)")
            #expect(
                try PhotoFolder.manifest(target)
                    == (try PhotoFolder.manifest(folder.appendingPathComponent("photos"))))
        }
    }

    @Test(
        "Bob retrieves archived photos in the portal, one and several",
        .enabled(if: PythonClient.hasBrowser, "run scripts/install-clients"))
    func portal() async throws {
        try await withEngine { folder, engine, server, _ in
            let run = try await PythonClient.walk(
                "archive", ["SERVER": server.address, "STORE": engine.endpoint, "BACK": engine.completion.path],
                in: folder)
            #expect(run.status == 0 && run.output.hasSuffix("DONE\n"), "\(run.output)")
            #expect(engine.requests.count == 3)
        }
    }
}

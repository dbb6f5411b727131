import Foundation
import PhotolalaTesting
import Testing

/// The portal in a real Chromium at a real server; the walks are in `Tests/Support/Browser`.
@Suite(.enabled(if: PythonClient.hasBrowser, "run scripts/install-clients"))
struct PortalJourneyTests {
    @Test(
        "a person uses the portal in a real browser",
        arguments: ["days", "deletion", "export", "trouble", "library", "resume", "added", "sessions", "limits"])
    func walk(_ name: String) async throws { try await Self.walk(name) }

    static func walk(_ name: String, settings: [String: String] = [:]) async throws {
        try await BrowserQueue.run(name) {
            try await withTemporaryFolder { folder, transport in
                let server = try await ServerProcess(
                    data: folder.appendingPathComponent("data"), transport: transport, variables: settings)
                let variables = [
                    "SERVER": server.address, "STORE": server.storageAddress,
                    "PHOTOLALA": try Products.executable("photolala").path,
                ]
                let run = try await PythonClient.walk(name, variables, in: folder)
                #expect(run.status == 0 && run.output.hasSuffix("DONE\n"), "\(run.output)")
                #expect(server.stop() == 0)
            }
        }
    }

    @Test("photos go from a browser to a bucket and back", .enabled(if: SeaweedFS.isInstalled && !SeaweedFS.isSkipped))
    func bucket() async throws {
        try await BrowserQueue.run("bucket") {
            try await SeaweedFS.run { engine in
                try await withTemporaryFolder { folder, transport in
                    let server = try await ServerProcess(on: engine, transport: transport)
                    let rules = Repository.root.appending(path: "deploy/aws/bucket-cors.json").path
                    let run = try await PythonClient.walk(
                        "bucket",
                        [
                            "SERVER": server.address, "STORE": engine.endpoint, "BUCKET": engine.bucket, "RULES": rules,
                            "KEY": engine.admin.accessKeyID, "SECRET": engine.admin.secretAccessKey,
                        ], in: folder)
                    #expect(run.status == 0 && run.output.hasSuffix("DONE\n"), "\(run.output)")
                    #expect(server.stop() == 0)
                }
            }
        }
    }
}

/// Further walks.
@Suite(.enabled(if: PythonClient.hasBrowser, "run scripts/install-clients"))
struct PhotoPortalJourneyTests {
    @Test(
        "a person looks through photos with mouse, keys and touch",
        arguments: ["grid", "rows", "viewer", "details", "places", "videos", "heic", "albums", "hidden", "shares"])
    func photos(_ name: String) async throws { try await PortalJourneyTests.walk(name) }

    @Test("a person uploads archives and an export of Google Photos")
    func takeout() async throws { try await PortalJourneyTests.walk("takeout") }

    @Test("a person reads the library without a connection")
    func offline() async throws { try await PortalJourneyTests.walk("offline") }

    @Test("every page is complete, accessible and translated")
    func languages() async throws {
        // One photo fills 95 % of the storage.
        let settings = ["PHOTOLALA_TIERS": #"{"free":{"storageLimit":5000000}}"#]
        try await PortalJourneyTests.walk("languages", settings: settings)
    }
}

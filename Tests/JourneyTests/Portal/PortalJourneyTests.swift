import Foundation
import PhotolalaTesting
import Testing

/// The portal in a real Chromium at a real server; the walks are in `Tests/Support/Browser`.
@Suite(.serialized, .enabled(if: PythonClient.hasBrowser, "run scripts/install-clients"))
struct PortalJourneyTests {
    @Test("A person's days at the portal, in a real browser", arguments: ["days", "trouble", "languages"])
    func walk(_ name: String) async throws {
        try await withTemporaryFolder { folder, transport in
            let server = try await ServerProcess(data: folder.appendingPathComponent("data"), transport: transport)
            let scripts = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appendingPathComponent("../../Support/Browser").standardizedFileURL
            let script = try String(contentsOf: scripts.appendingPathComponent("\(name).py"), encoding: .utf8)
            var environment = ["SERVER": server.address, "PYTHONPATH": scripts.path]
            environment["SCREENSHOTS"] = ProcessInfo.processInfo.environment["SCREENSHOTS"]
            let run = try await PythonClient.run(script, environment, in: folder)
            #expect(run.status == 0 && run.output.hasSuffix("DONE\n"), "\(run.output)")
            #expect(server.stop() == 0)
        }
    }
}

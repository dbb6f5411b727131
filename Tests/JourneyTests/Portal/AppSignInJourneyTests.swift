import Foundation
import PhotolalaTesting
import Testing

/// Apps sign in at a real server: Authlib's OAuth client and the command line, each with a real browser.
@Suite(.enabled(if: PythonClient.hasBrowser, "run scripts/install-clients"))
struct AppSignInJourneyTests {
    @Test("a third-party OAuth client and the command line sign in through the browser")
    func apps() async throws {
        try await withTemporaryFolder { folder, transport in
            let apps = #"{"org.example.web":{"name":"Example","redirectURIs":["http://127.0.0.1/back"]}}"#
            let server = try await ServerProcess(
                data: folder.appendingPathComponent("data"), transport: transport,
                variables: ["PHOTOLALA_SIGN_IN_APPS": apps])
            let run = try await PythonClient.walk(
                "apps",
                [
                    "SERVER": server.address, "PROFILE": folder.appendingPathComponent("device").path,
                    "PHOTOLALA": try Products.executable("photolala").path,
                ], in: folder)
            #expect(run.status == 0 && run.output.hasSuffix("DONE\n"), "\(run.output)")
            #expect(server.stop() == 0)
        }
    }
}

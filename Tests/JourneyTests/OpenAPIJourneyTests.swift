import Foundation
import PhotolalaTesting
import Testing

/// The OpenAPI document against a real server, as tools of other authors read it.
@Suite(.serialized, .enabled(if: PythonClient.program != nil, "run scripts/install-clients"))
struct OpenAPIJourneyTests {
    private static let tools = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "../Support/OpenAPI").standardizedFileURL
    private static let document = tools.appending(path: "../../../Sources/PhotolalaServer/WellKnown/openapi.yaml")
        .standardizedFileURL

    @Test func `openapi-spec-validator accepts the served document`() async throws {
        try await withServer { server, folder in
            let script = """
                import os, urllib.request, yaml
                from openapi_spec_validator import OpenAPIV31SpecValidator
                document = yaml.safe_load(urllib.request.urlopen(os.environ["SERVER"] + "/openapi.yaml"))
                errors = [str(error) for error in OpenAPIV31SpecValidator(document).iter_errors()]
                print(len(document["paths"]), errors)
                raise SystemExit(bool(errors) or document["openapi"] != "3.1.0")
                """
            let run = try await PythonClient.run(script, ["SERVER": server], in: folder)
            #expect(run.status == 0, "\(run.output)")
        }
    }

    @Test func `schemathesis finds no difference between the document and the server`() async throws {
        let appStore = try TestAppStore(
            clock: TestClock(Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded(.down))))
        try await withServer(appStore) { server, folder in
            let purchase = TestPurchase(TestAppStore.premium, id: "2000000777", at: appStore.clock.now)
            let notification = try appStore.notification("TEST", id: UUID(), transaction: nil)
            let variables = [
                "SERVER": server, "DOCUMENT": Self.document.path, "TRANSACTION": try appStore.transaction(purchase),
                "NOTIFICATION": String(decoding: notification, as: UTF8.self),
                "PYTHONPATH": Self.tools.path, "SCHEMATHESIS_HOOKS": "hooks",
            ]
            let script = """
                import os
                from schemathesis.cli import schemathesis
                os.chdir(os.environ["HOME"])
                configuration = "\(Self.tools.path)/schemathesis.toml"
                schemathesis(
                    ["--config-file", configuration, "run", os.environ["DOCUMENT"], "--url", os.environ["SERVER"]])
                """
            let run = try await PythonClient.run(script, variables, in: folder)
            #expect(run.status == 0, "\(run.output)")
        }
    }

    /// Runs a test on a server with everything that the document describes, in an empty folder.
    private func withServer(
        _ appStore: TestAppStore? = nil, _ test: (_ address: String, _ folder: URL) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder, transport in
            var variables = ["PHOTOLALA_SIGN_IN_ALLOW_CONTINUE": "true"]
            if let appStore {
                variables["PHOTOLALA_TIERS"] = #"{"premium":{"products":["\#(TestAppStore.premium)"]}}"#
                variables["PHOTOLALA_APP_STORE_BUNDLE_IDS"] = TestAppStore.bundleID
                variables["PHOTOLALA_APP_STORE_ROOT_CERTIFICATES"] =
                    Data(appStore.certificates.root).base64EncodedString()
            }
            let server = try await ServerProcess(
                data: folder.appendingPathComponent("data"), transport: transport, variables: variables)
            try await test(server.address, folder)
            #expect(server.stop() == 0)
        }
    }
}

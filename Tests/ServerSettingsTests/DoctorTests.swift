import Foundation
import PhotolalaTesting
import Testing

@testable import ServiceWiring
@testable import photolala_server

/// The checks of `photolala-server doctor`.
@Suite struct DoctorTests {
    private func findings(
        _ variables: [String: String], at date: Date = Date(), data: String
    ) async throws -> [String: Finding] {
        let settings = try SettingsFixture.read(variables, flags: [.environment: "dev", .data: data])
        let all = await Examination(settings, now: { date }).findings()
        return Dictionary(uniqueKeysWithValues: all.map { ($0.check, $0) })
    }

    @Test("a missing store and a missing certificate are both reported, with what to do")
    func missing() async throws {
        let folder = try TemporaryFolder()
        let files = ["PHOTOLALA_TLS_CERTIFICATE": "/missing/tls.crt", "PHOTOLALA_TLS_KEY": "/missing/tls.key"]
        let found = try await findings(files, data: folder.subpath("none"))
        #expect(found["certificate"]?.level == .problem)
        #expect(found["certificate"]?.detail == "cannot read /missing/tls.crt")
        #expect(found["disk"]?.level == .problem)
        #expect(found["store"]?.level == .problem && found["store"]?.detail.hasPrefix("no store found in ") == true)
    }

    @Test("a provider whose keys cannot be fetched is a problem of its own")
    func provider() async throws {
        let folder = try TemporaryFolder()
        let found = try await findings(
            [
                "PHOTOLALA_APPLE_AUDIENCES": "com.example.app",
                "PHOTOLALA_APPLE_KEY_SET_URL": "http://127.0.0.1:1/keys",
            ], data: folder.path)
        #expect(found["apple"]?.level == .problem)
        #expect(found["apple"]?.detail.hasPrefix("the provider's keys cannot be fetched") == true)
        #expect(found["disk"]?.level == .ok && found["store"]?.level == .problem)
    }

    @Test("a file in the place of the operators' socket is a problem, and a missing folder a warning")
    func socket() async throws {
        let folder = try TemporaryFolder()
        func level(_ name: String) async throws -> Finding.Level? {
            let address = ["PHOTOLALA_OPERATOR_LISTEN": "unix:\(folder.subpath(name))"]
            return try await findings(address, data: folder.subpath("none"))["socket"]?.level
        }
        try folder.write("file", [])
        #expect(try await level("file") == .problem)
        #expect(try await level("missing/operator.sock") == .warning)
        #expect(try await level("operator.sock") == .ok)
        #expect(try await findings([:], data: folder.subpath("none"))["socket"] == nil)
    }

    @Test("a line has the level, the check, the detail and the remedy")
    func text() {
        let fine = Finding("disk", .ok, "enough space")
        #expect(fine.text == "ok       disk         enough space")
        let bad = Finding("clock", .problem, "one hour behind", remedy: "Set the clock")
        #expect(bad.text == "PROBLEM  clock        one hour behind. Set the clock")
    }
}

import Foundation
import PhotolalaTesting
import SMTP
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

    @Test(
        "a test e-mail has a finding for each step up to the one that failed, with what to do",
        arguments: [
            ("smtps://u:p@mail.example", 0, SMTPError.notConnected("refused"), "mail connect", "host and port"),
            ("smtps://u:p@mail.example", 1, .tls("the handshake failed"), "mail tls", "smtps://"),
            ("smtp://u:p@mail.example", 2, .noTLS, "mail tls", "smtps://"),
            ("smtp://u:p@mail.example", 3, .noAuthentication, "mail login", "user and password"),
            ("smtp://mail.example", 3, .refused(command: "MAIL", code: 550, status: nil), "mail send", "mail.from"),
            ("smtp://mail.example", 3, .refused(command: "RCPT", code: 550, status: nil), "mail send", "recipients"),
        ])
    func mail(_ url: String, _ done: Int, _ failure: SMTPError, _ check: String, _ remedy: String) throws {
        let mail = try #require(
            try SettingsFixture.read(
                ["PHOTOLALA_MAIL_URL": url, "PHOTOLALA_MAIL_FROM": "photos@photos.example"],
                flags: [.environment: "dev", .data: "/data"]
            ).mail)
        let test = MailTest(
            mail, to: try #require(MailAddress("bob@example.org")), service: "Photos", at: Date(), id: "test-1")
        let all: [SMTPStep] =
            url.hasPrefix("smtps")
            ? [.connected(address: "192.0.2.1"), .encrypted, .greeted]
            : [.connected(address: "192.0.2.1"), .greeted, .encrypted]
        let found = test.findings(of: SMTPTrace(steps: Array(all.prefix(done)), failure: failure))
        #expect(found.count == done + 1 && found.dropLast().allSatisfy { $0.level == .ok })
        #expect(found.last?.check == check && found.last?.level == .problem)
        #expect(found.last?.remedy?.contains(remedy) == true, "\(found)")
    }

    @Test("a line has the level, the check, the detail and the remedy")
    func text() {
        let fine = Finding("disk", .ok, "enough space")
        #expect(fine.text == "ok       disk         enough space")
        let bad = Finding("clock", .problem, "one hour behind", remedy: "Set the clock")
        #expect(bad.text == "PROBLEM  clock        one hour behind. Set the clock")
    }
}

import PhotolalaTesting
import SMTP
import Testing

@testable import ServiceWiring
@testable import photolala_server

/// The mail server of security e-mails.
@Suite struct MailSettingsTests {
    private static let url = "smtps://photos:hu%2Fsh@mail.example.org"
    private static let from = "Photos <photos@example.org>"

    private func problems(_ url: String?, _ from: String?) throws -> [String] {
        var variables: [String: String] = [:]
        variables["PHOTOLALA_MAIL_URL"] = url
        variables["PHOTOLALA_MAIL_FROM"] = from
        return try SettingsFixture.problems(variables, flags: [.environment: "prod", .data: "/tmp/x"])
            .filter { $0.hasPrefix("mail.") }
    }

    @Test func `e-mails are off unless server and sender are configured`() throws {
        #expect(try SettingsFixture.read(flags: SettingsFixture.dev).mail == nil)
        #expect(try problems(nil, nil).isEmpty && problems(Self.url, Self.from).isEmpty)
        #expect(try problems(Self.url, nil) == ["mail.from: required with mail.url"])
        #expect(try problems(nil, Self.from) == ["mail.url: required with mail.from"])
    }

    @Test func `server and sender are shown without the password`() throws {
        let variables = ["PHOTOLALA_MAIL_URL": Self.url, "PHOTOLALA_MAIL_FROM": Self.from]
        let settings = try SettingsFixture.read(variables, flags: SettingsFixture.dev)
        #expect(settings.mail?.server.credentials == MailServer(url: Self.url, allowsPlainText: false)?.credentials)
        #expect(settings.mail?.from == Mailbox(Self.from))
        let report = SettingsReport(settings).description
        #expect(
            report.contains("smtps://mail.example.org:465\n") && report.contains("Photos <photos@example.org>\n")
        )
        #expect(!report.contains("sh@"))
    }

    @Test(arguments: [
        "hush", "https://hush@mail.example.org", "smtps://hush@mail.example.org", "smtp://mail/hush",
        "smtps://photos:hu sh@mail.example.org",
    ])
    func `a URL that names no mail server is rejected and not shown`(url: String) throws {
        let problem = "mail.url: must be an smtp or smtps URL with a host, and with both user and password or neither"
        #expect(try problems(url, Self.from) == [problem])
    }

    @Test(arguments: ["Photos", "Photos <photos>", "photos@example.org\r\nBcc: eve@example.org"])
    func `a sender without an address is rejected`(from: String) throws {
        let problem = "mail.from: must be an ASCII address, or a name and an address as in Photos <photos@example.org>"
        #expect(try problems(Self.url, from) == [problem])
    }

    @Test func `the doctor reports a mail server that does not answer`() async throws {
        let folder = try TemporaryFolder()
        let variables = ["PHOTOLALA_MAIL_URL": "smtp://127.0.0.1:1", "PHOTOLALA_MAIL_FROM": Self.from]
        let settings = try SettingsFixture.read(variables, flags: [.environment: "dev", .data: folder.path])
        let finding = await Examination(settings, now: { .distantPast }).findings().first { $0.check == "mail" }
        #expect(finding?.level == .problem)
        #expect(finding?.detail.hasPrefix("127.0.0.1: connection failed: refused") == true, "\(finding?.detail ?? "")")
    }
}

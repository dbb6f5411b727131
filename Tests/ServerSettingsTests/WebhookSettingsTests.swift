import Foundation
import Testing

@testable import ServiceWiring

/// The receiver of events.
@Suite struct WebhookSettingsTests {
    private static let secret = "whsec_\(Data(repeating: 3, count: 32).base64EncodedString())"
    private static let other = "whsec_\(Data(repeating: 4, count: 24).base64EncodedString())"

    private func problems(
        _ url: String?, _ secrets: String?, in environment: String = "dev"
    ) throws -> [String] {
        var variables: [String: String] = [:]
        variables["PHOTOLALA_WEBHOOKS_URL"] = url
        variables["PHOTOLALA_WEBHOOKS_SECRETS"] = secrets
        return try SettingsFixture.problems(variables, flags: [.environment: environment, .data: "/tmp/x"])
            .filter { $0.hasPrefix("webhooks.") }
    }

    @Test("events are off unless both a URL and a secret are configured")
    func off() throws {
        #expect(try SettingsFixture.read(flags: SettingsFixture.dev).webhooks == nil)
        #expect(try problems(nil, nil).isEmpty)
        #expect(
            try problems("https://a.example", nil) == [
                "webhooks.secrets: required with webhooks.url"
            ])
        #expect(try problems(nil, Self.secret) == ["webhooks.url: required with webhooks.secrets"])
    }

    @Test("the URL and all secrets are read, and only the URL is shown, without its query")
    func on() throws {
        let settings = try SettingsFixture.read(
            [
                "PHOTOLALA_WEBHOOKS_URL": "http://10.0.0.7:8000/hooks?key=hush",
                "PHOTOLALA_WEBHOOKS_SECRETS": "\(Self.secret), \(Self.other)",
            ], flags: SettingsFixture.dev)
        #expect(settings.webhooks?.url == "http://10.0.0.7:8000/hooks?key=hush")
        #expect(settings.webhooks?.secrets.count == 2)
        let report = SettingsReport(settings).description
        #expect(report.contains("http://10.0.0.7:8000/hooks\n") && report.contains("2 given"))
        #expect(!report.contains("hush") && !report.contains("whsec_"))
    }

    @Test("outside of dev the URL requires https", arguments: ["stage", "prod"])
    func https(environment: String) throws {
        #expect(
            try problems("http://a.example/", Self.secret, in: environment) == [
                "webhooks.url: must be https outside of dev"
            ])
        #expect(try problems("https://a.example/", Self.secret, in: environment).isEmpty)
    }

    @Test(
        "a URL with a password, a fragment or no host is rejected and not shown",
        arguments: [
            "https://bob:hush@a.example/", "https://bob@a.example/", "https://a.example/#hush", "ftp://a.example/",
            "hush", "https:///hush", "https://a.example/hüsh", "https://a.example/a b",
            "https://a.example/hooks?tenant={hush}",
            "https://a.example/%zzhush", "https://a.example/hush|",
        ])
    func badAddresses(url: String) throws {
        let problems = try problems(url, Self.secret)
        #expect(problems.count == 1 && !problems.contains { $0.contains("hush") || $0.contains("a b") })
    }

    @Test("a malformed secret is reported without showing it")
    func badSecrets() throws {
        #expect(
            try problems("https://a.example", "\(Self.secret),hush") == [
                "webhooks.secrets: must be whsec_ and 24 to 64 bytes in base64"
            ])
    }
}

import Foundation
import PhotolalaAPI
import Testing

@testable import ServiceWiring

/// `check-settings` prints the effective configuration.
@Suite struct SettingsReportTests {
    /// Returns the report's values by name.
    private func report(_ settings: Settings) -> [String: String] {
        let lines = SettingsReport(settings).description.split(separator: "\n").map { line in
            let name = String(line.prefix { $0 != " " })
            return (name, line.dropFirst(name.count).trimmingCharacters(in: .whitespaces))
        }
        return Dictionary(lines) { first, _ in first }
    }

    @Test("in dev the report names the generated key and the emulated providers")
    func dev() throws {
        let lines = report(
            try SettingsFixture.read(["PHOTOLALA_GOOGLE_AUDIENCES": "client"], flags: SettingsFixture.dev)
        )
        #expect(lines["apple"] == "development provider, http://127.0.0.1:8080/dev/providers/apple")
        #expect(lines["google"]?.contains("audiences client") == true)
        #expect(lines["keys.master"] == "dev, generated in /tmp/x/development-secrets")
        #expect(lines["subjects"]?.hasPrefix("as in the store") == true)
    }

    @Test("outside of dev a provider without settings is off, and keys are shown by id only")
    func stage() throws {
        let settings = try SettingsFixture.read(
            ["PHOTOLALA_APPLE_AUDIENCES": "app", "PHOTOLALA_KEYS_MASTER": SettingsFixture.key],
            flags: [.environment: "stage", .data: "/tmp/x"]
        )
        #expect(report(settings)["google"] == "off")
        #expect(report(settings)["keys.master"] == "k1")
        let secret = SettingsFixture.key.dropFirst(3)
        #expect(!SettingsReport(settings).description.contains(secret))
    }

    @Test("on S3 the report shows the bucket and its endpoints, and no secret")
    func bucket() throws {
        let settings = try SettingsFixture.read(
            [
                "PHOTOLALA_S3_ACCESS_KEY_ID": "AKID", "PHOTOLALA_S3_SECRET_ACCESS_KEY": "hush",
                "PHOTOLALA_STS_EXTERNAL_ID": "photolala-app-2024",
            ]
            .merging(SettingsFixture.bucket) { _, new in new },
            flags: [.environment: "dev"]
        )
        let lines = report(settings)
        #expect(lines["store"] == "s3" && lines["data"] == "–" && lines["s3.listen"] == "–")
        #expect(lines["s3.endpoint"] == "http://127.0.0.1:8333" && lines["sts.endpoint"] == "http://127.0.0.1:8333")
        #expect(lines["sts.externalID"] == "photolala-app-2024")
        #expect(lines["s3.pathStyle"] == "true" && lines["s3.accessKeyID"] == "AKID")
        #expect(!SettingsReport(settings).description.contains("hush"))
    }

    @Test("every setting except the providers' has a line in the report")
    func complete() throws {
        let lines = report(try SettingsFixture.read(flags: SettingsFixture.dev))
        let providers = ProviderName.builtIn.map { "\($0)." } + ["oidc"]
        for name in SettingName.allCases.map(\.rawValue) where !providers.contains(where: name.hasPrefix) {
            #expect(lines[name]?.isEmpty == false, "\(name)")
        }
    }

    @Test(
        "durations are in the largest unit of which they are a whole number",
        arguments: [("5", "5 minutes"), ("60", "1 hour"), ("90", "90 minutes"), ("1440", "1 day"), ("10080", "7 days")])
    func durations(minutes: String, text: String) throws {
        let settings = try SettingsFixture.read(
            ["PHOTOLALA_UPLOADS_ADDRESS_MINUTES": minutes, "PHOTOLALA_USAGE_COUNT_EVERY_SECONDS": "61"],
            flags: SettingsFixture.dev)
        let lines = SettingsReport(settings).description.split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix("uploads.addressMinutes ") && $0.hasSuffix("  \(text)") })
        #expect(lines.contains { $0.hasPrefix("usage.countEverySeconds ") && $0.hasSuffix("  61 seconds") })
    }
}

import Crypto
import Foundation
import PhotolalaAPI
import Testing
import UseCases

@testable import ServiceWiring

/// Settings: read in one place, all problems together, no guessed values.
@Suite struct SettingsTests {
    private let key = SettingsFixture.key

    @Test("dev requires an environment and a folder, and listens on loopback")
    func dev() throws {
        let settings = try SettingsFixture.read(flags: SettingsFixture.dev)
        #expect(settings.environment == .dev)
        #expect(settings.listen.isLoopback && settings.store.folder?.listen.isLoopback == true)
        #expect(settings.store.bucketName == "photolala-dev")
        #expect(!settings.requiresChallenge)
    }

    @Test("dev serves loopback and its own hosts, prod every host")
    func servedHosts() throws {
        let urls = [
            "PHOTOLALA_PUBLIC_URL": "https://photos.example", "PHOTOLALA_S3_ENDPOINT": "https://s3.photos.example",
        ]
        let dev = try SettingsFixture.read(urls, flags: SettingsFixture.dev).servedHosts
        #expect(["localhost:8080", "photos.example", "s3.photos.example"].allSatisfy(dev.contains))
        #expect(!dev.contains("attacker.example:8080"))
        let prod = try SettingsFixture.read(
            urls.merging([
                "PHOTOLALA_ENVIRONMENT": "prod", "PHOTOLALA_DATA": "/srv/photolala", "PHOTOLALA_KEYS_MASTER": key,
                "PHOTOLALA_APPLE_AUDIENCES": "com.example.app",
            ]) { $1 }
        ).servedHosts
        #expect(prod == .any)
    }

    @Test("the environment has no default, and without one only general problems are reported")
    func noDefault() throws {
        #expect(
            try SettingsFixture.problems(["PHOTOLALA_DATA": "/tmp/x"])
                == ["environment: required: --environment dev, stage or prod"]
        )
        #expect(
            try SettingsFixture.problems(["PHOTOLALA_DATA": "/tmp/x", "PHOTOLALA_ENVIRONMENT": "production"])
                == ["environment: must be one of dev, stage, prod, not \"production\""]
        )
        let more = try SettingsFixture.problems(["PHOTOLALA_LIMITS_BODY_BYTES": "lots"])
        #expect(more.map { $0.prefix { $0 != ":" } } == ["environment", "data", "limits.bodyBytes"])
    }

    @Test("prod reports everything that is missing or only for development together")
    func prodProblems() throws {
        let problems = try SettingsFixture.problems(
            ["PHOTOLALA_APPLE_AUDIENCES": "app", "PHOTOLALA_APPLE_KEY_SET_URL": "http://127.0.0.1/keys"],
            flags: [.environment: "prod"]
        )
        for part in ["data:", "keys.master:", "publicURL:", "s3.endpoint:", "provider apple"] {
            #expect(problems.contains { $0.hasPrefix(part) }, "\(part) in \(problems)")
        }
    }

    @Test("a complete prod configuration is read from the environment")
    func prod() throws {
        let settings = try SettingsFixture.read([
            "PHOTOLALA_ENVIRONMENT": "prod", "PHOTOLALA_DATA": "/srv/photolala", "PHOTOLALA_KEYS_MASTER": key,
            "PHOTOLALA_PUBLIC_URL": "https://accounts.example/", "PHOTOLALA_S3_ENDPOINT": "https://photos.example",
            "PHOTOLALA_APPLE_AUDIENCES": "com.example.app, com.example.web",
            "PHOTOLALA_GOOGLE_AUDIENCES": "1.apps.googleusercontent.com",
            "PHOTOLALA_LIMITS_TRUSTED_PROXIES": "10.0.0.0/8", "PATH": "/bin", "PHOTOLALA_SERVER": "https://x.example",
        ])
        #expect(settings.publicURL == "https://accounts.example")
        #expect(settings.providers.map(\.name) == [.apple, .google])
        #expect(settings.providers.first?.audiences == ["com.example.app", "com.example.web"])
        #expect(settings.requiresChallenge)
        #expect(
            settings.callRates
                == CallRates(address: 120, identity: 120, total: 60_000, account: 600, signedInAddress: 6000))
        #expect(settings.connectionsPerAddress == 1000)
        #expect(settings.s3AccountRequestsPerMinute == 30_000 && settings.s3AddressRequestsPerMinute == 60_000)
        #expect(settings.masterKey?.id == "k1")
    }

    @Test("every setting is read from the variable with its documented name", arguments: SettingName.allCases)
    func variables(_ name: SettingName) {
        let reader = SettingsReader(flags: [:], environment: [name.environmentVariable: "value"], file: nil)
        #expect(reader.text(name) == "value")
    }

    @Test("an account limit below the limit per session is reported")
    func accountCalls() throws {
        func problems(_ account: String?, _ identity: String) throws -> [String] {
            var variables = ["PHOTOLALA_LIMITS_IDENTITY_CALLS_PER_MINUTE": identity]
            variables["PHOTOLALA_LIMITS_ACCOUNT_CALLS_PER_MINUTE"] = account
            return try SettingsFixture.problems(variables, flags: SettingsFixture.dev)
        }
        #expect(
            try problems("119", "120") == [
                "limits.accountCallsPerMinute: must be 0 or at least the 120 of limits.identityCallsPerMinute, not 119"
            ])
        for (account, identity) in [("120", "120"), ("0", "120"), ("600", "0")] {
            #expect(try problems(account, identity).isEmpty)
        }
        let stage = try SettingsFixture.read(
            [
                "PHOTOLALA_LIMITS_IDENTITY_CALLS_PER_MINUTE": "1000", "PHOTOLALA_KEYS_MASTER": key,
                "PHOTOLALA_APPLE_AUDIENCES": "app",
            ], flags: [.environment: "stage", .data: "/tmp/x"])
        #expect(stage.callRates.identity == 1000 && stage.callRates.account == 1000)
    }

    @Test("dev rejects network addresses for both listeners")
    func devOnTheNetwork() throws {
        let problems = try SettingsFixture.problems(
            flags: [.environment: "dev", .data: "/tmp/x", .listen: "127.evil.example:8080", .s3Listen: "[::]:9000"]
        )
        #expect(problems.count == 2, "\(problems)")
    }

    @Test("the command line takes precedence over the environment, and the environment over the file")
    func precedence() throws {
        let file = #"{"data": "/file", "s3": {"region": "eu-west-1"}, "limits": {"bodyBytes": 65536}}"#
        let variables = ["PHOTOLALA_DATA": "/environment"]
        let settings = try SettingsFixture.read(variables, flags: [.environment: "dev"], file: file)
        #expect(settings.store.folder?.data == "/environment")
        #expect(settings.store.region == "eu-west-1")
        #expect(settings.bodyLimit == 65536)
        let flagged = try SettingsFixture.read(variables, flags: [.environment: "dev", .data: "/flag"], file: file)
        #expect(flagged.store.folder?.data == "/flag")
    }

    @Test("an unknown variable is reported with the closest known name")
    func misspeltVariables() throws {
        let problems = try SettingsFixture.problems(
            ["PHOTOLALA_LISTN": "127.0.0.1:1", "PHOTOLALA_S3_CORSORIGINS": "*", "PHOTOLALA_XYZZY_FROTZ": "1"],
            flags: SettingsFixture.dev
        )
        #expect(
            problems == [
                "PHOTOLALA_LISTN: unknown setting. Did you mean PHOTOLALA_LISTEN?",
                "PHOTOLALA_S3_CORSORIGINS: unknown setting. Did you mean PHOTOLALA_S3_CORS_ORIGINS?",
                "PHOTOLALA_XYZZY_FROTZ: unknown setting",
            ]
        )
    }

    @Test("a removed setting is reported with what to do")
    func retired() throws {
        let problems = try SettingsFixture.problems(
            ["PHOTOLALA_GOOGLE_AUTHORITATIVE_EMAIL_DOMAINS": "gmail.com"], flags: SettingsFixture.dev,
            file: #"{"apple": {"authoritativeEmailDomains": ["icloud.com"]}}"#)
        #expect(problems.count == 2, "\(problems)")
        for name in ["PHOTOLALA_GOOGLE_AUTHORITATIVE_EMAIL_DOMAINS", "apple.authoritativeEmailDomains"] {
            #expect(problems.contains { $0.contains("\(name) was removed") && $0.hasSuffix("Delete the setting") })
        }
    }

    @Test(
        "an invalid value is reported with the expected form",
        arguments: [
            ("PHOTOLALA_LIMITS_BODY_BYTES", "lots"), ("PHOTOLALA_LIMITS_BODY_BYTES", "1"),
            ("PHOTOLALA_LISTEN", "8080"), ("PHOTOLALA_LISTEN", "127.0.0.1:99999"), ("PHOTOLALA_LISTEN", "::1:80"),
            ("PHOTOLALA_LISTEN", "127.0.0.1:+80"), ("PHOTOLALA_LISTEN", "127.0.0.1:0"),
            ("PHOTOLALA_SIGN_IN_ALLOW_CONTINUE", "maybe"), ("PHOTOLALA_KEYS_MASTER", "k1:AAAA"),
            ("PHOTOLALA_LIMITS_TRUSTED_PROXIES", "everyone"), ("PHOTOLALA_PUBLIC_URL", "accounts.example"),
            ("PHOTOLALA_SUBJECTS", "hash"), ("PHOTOLALA_LOG_LEVEL", "loud"), ("PHOTOLALA_APPLE_AUDIENCES", " , "),
            ("PHOTOLALA_CREDENTIALS_MINUTES", "14"), ("PHOTOLALA_CREDENTIALS_MINUTES", "61"),
            ("PHOTOLALA_UPLOADS_ADDRESS_MINUTES", "4"), ("PHOTOLALA_UPLOADS_ADDRESS_MINUTES", "10081"),
            ("PHOTOLALA_UPLOADS_ACCESS_KEY_ID", "AKID"),
        ])
    func badValues(variable: String, value: String) throws {
        let problems = try SettingsFixture.problems([variable: value], flags: SettingsFixture.dev)
        #expect(problems.count == 1, "\(problems)")
    }

    @Test("credentials last an hour or the configured minutes", arguments: [(nil, 3600), ("15", 900), ("60", 3600)])
    func credentialMinutes(_ value: String?, _ seconds: Double) throws {
        let variables = value.map { ["PHOTOLALA_CREDENTIALS_MINUTES": $0] } ?? [:]
        #expect(try SettingsFixture.read(variables, flags: SettingsFixture.dev).credentialLifetime == seconds)
    }

    @Test("upload addresses last five minutes or the configured ones", arguments: [(nil, 300), ("10080", 604_800)])
    func uploadAddressMinutes(_ value: String?, _ seconds: Double) throws {
        let variables = value.map { ["PHOTOLALA_UPLOADS_ADDRESS_MINUTES": $0] } ?? [:]
        #expect(try SettingsFixture.read(variables, flags: SettingsFixture.dev).uploadAddressLifetime == seconds)
    }

    @Test("provider settings without audiences are reported")
    func providersWithoutAudiences() throws {
        for environment in ["dev", "prod"] {
            let problems = try SettingsFixture.problems(
                [
                    "PHOTOLALA_GOOGLE_ISSUERS": "https://accounts.google.com",
                    "PHOTOLALA_GOOGLE_AUTHORIZED_PARTIES": "x", "PHOTOLALA_APPLE_KEY_SET_URL": "https://a.example/keys",
                ],
                flags: [.environment: environment, .data: "/tmp/x"]
            )
            #expect(
                problems.filter { $0.contains(": required with ") } == [
                    "apple.audiences: required with apple.keySetURL",
                    "google.audiences: required with google.issuers, google.authorizedParties",
                ]
            )
        }
    }

    @Test("every setting and its environment variable are in the documentation")
    func documentation() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try String(contentsOf: root.appendingPathComponent("docs/configuration.md"), encoding: .utf8)
        for setting in SettingName.allCases {
            #expect(text.contains("`\(setting.rawValue)`"), "\(setting.rawValue)")
            #expect(text.contains("`\(setting.environmentVariable)`"), "\(setting.environmentVariable)")
        }
    }

    @Test("Apple's key requires all three settings, may be on one line or several, and is never shown")
    func appleKey() throws {
        let pem = P256.Signing.PrivateKey().pemRepresentation
        let given = [
            "PHOTOLALA_APPLE_AUDIENCES": "app", "PHOTOLALA_APPLE_TEAM_ID": "TEAM123456",
            "PHOTOLALA_APPLE_KEY_ID": "KEY1234567", "PHOTOLALA_APPLE_PRIVATE_KEY": pem,
        ]
        for text in [pem, pem.replacing("\n", with: "\\n")] {
            let settings = try SettingsFixture.read(
                given.merging(["PHOTOLALA_APPLE_PRIVATE_KEY": text]) { $1 }, flags: SettingsFixture.dev)
            guard case .apple? = settings.providers.first?.clientAuthentication else {
                Issue.record("no key")
                continue
            }
            let report = SettingsReport(settings).description
            #expect(report.contains("codes are exchanged") && !report.contains(pem.split(separator: "\n")[1]))
        }
        for (name, value) in [
            ("PHOTOLALA_APPLE_TEAM_ID", ""), ("PHOTOLALA_APPLE_KEY_ID", "short"), ("PHOTOLALA_APPLE_PRIVATE_KEY", "x"),
        ] {
            let problems = try SettingsFixture.problems(given.merging([name: value]) { $1 }, flags: SettingsFixture.dev)
            #expect(problems.count == 1 && problems[0].hasPrefix("apple.teamID, apple.keyID, apple.privateKey:"))
        }
    }

    @Test("Google's clients have a secret each, and a malformed one is reported without showing the others")
    func googleSecrets() throws {
        let given = [
            "PHOTOLALA_GOOGLE_AUDIENCES": "web,ios", "PHOTOLALA_GOOGLE_CLIENT_SECRETS": #"{"web":"hush"}"#,
            "PHOTOLALA_GOOGLE_REDIRECT_URIS": #"{"web":"https://a.example/back"}"#,
            "PHOTOLALA_GOOGLE_HOSTED_DOMAINS": "Example.com",
        ]
        let settings = try SettingsFixture.read(given, flags: SettingsFixture.dev)
        let google = try #require(settings.providers.first)
        guard case .secrets(["web": "hush"])? = google.clientAuthentication else {
            Issue.record("no secrets")
            return
        }
        #expect(google.redirectURIs == ["web": "https://a.example/back"] && google.hostedDomains == ["example.com"])
        #expect(!SettingsReport(settings).description.contains("hush"))
        let problems = try SettingsFixture.problems(
            given.merging(["PHOTOLALA_GOOGLE_CLIENT_SECRETS": #"{"web":"hush","ios":1}"#]) { $1 },
            flags: SettingsFixture.dev)
        #expect(problems == ["google.clientSecrets: must be a string for each client id"])
    }
}

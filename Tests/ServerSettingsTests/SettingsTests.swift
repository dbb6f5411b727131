import Foundation
import PhotolalaAPI
import Testing

@testable import photolala_server

/// Settings: one place, all problems at once, nothing guessed.
@Suite struct SettingsTests {
    private let key = "k1:\(Data(repeating: 1, count: 32).base64EncodedString())"

    private func read(
        _ environment: [String: String], flags: [String: String] = [:], file: String? = nil
    ) async throws -> Settings {
        try Settings.read(try await SettingsReader(flags: flags, environment: environment, file: file))
    }

    private func problems(
        _ environment: [String: String], flags: [String: String] = [:], file: String? = nil
    ) async throws -> [String] {
        do {
            _ = try await read(environment, flags: flags, file: file)
            return []
        } catch let error as SettingsProblems {
            return error.problems
        }
    }

    private func withFile(_ json: String, _ test: (String) async throws -> Void) async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).json")
        try Data(json.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try await test(file.path)
    }

    @Test("dev needs an environment and a folder, and listens on loopback")
    func dev() async throws {
        let settings = try await read([:], flags: ["environment": "dev", "data": "/tmp/x"])
        #expect(settings.environment == .dev)
        #expect(settings.listen.isLoopback && settings.storage.listen.isLoopback)
        #expect(settings.storage.bucket == "photolala-dev")
        #expect(!settings.requiresChallenge)
    }

    @Test("There is no default environment")
    func noDefault() async throws {
        #expect(try await problems(["PHOTOLALA_DATA": "/tmp/x"]).contains { $0.hasPrefix("environment:") })
        #expect(
            try await problems(["PHOTOLALA_DATA": "/tmp/x", "PHOTOLALA_ENVIRONMENT": "production"])
                .contains("environment: one of dev, stage, prod, not \"production\"")
        )
    }

    @Test("prod names everything that is missing or meant for development at once")
    func prodProblems() async throws {
        let problems = try await problems(
            ["PHOTOLALA_APPLE_AUDIENCES": "app", "PHOTOLALA_APPLE_KEY_SET_URL": "http://127.0.0.1/keys"],
            flags: ["environment": "prod"]
        )
        for part in ["data:", "keys.master:", "publicURL:", "s3.endpoint:", "provider apple"] {
            #expect(problems.contains { $0.hasPrefix(part) }, "\(part) in \(problems)")
        }
    }

    @Test("A whole prod configuration is read from the environment")
    func prod() async throws {
        let settings = try await read([
            "PHOTOLALA_ENVIRONMENT": "prod", "PHOTOLALA_DATA": "/srv/photolala", "PHOTOLALA_KEYS_MASTER": key,
            "PHOTOLALA_PUBLIC_URL": "https://accounts.example/", "PHOTOLALA_S3_ENDPOINT": "https://photos.example",
            "PHOTOLALA_APPLE_AUDIENCES": "com.example.app, com.example.web",
            "PHOTOLALA_GOOGLE_AUDIENCES": "1.apps.googleusercontent.com",
            "PHOTOLALA_LIMITS_TRUSTED_PROXIES": "10.0.0.0/8",
        ])
        #expect(settings.publicURL == "https://accounts.example")
        #expect(settings.providers.map(\.name) == [.apple, .google])
        #expect(settings.providers.first?.audiences == ["com.example.app", "com.example.web"])
        #expect(settings.requiresChallenge)
        #expect(settings.authCallsPerMinute == 120)
        #expect(settings.masterKey?.id == "k1")
    }

    @Test("dev refuses to listen to the network, on either port")
    func devOnTheNetwork() async throws {
        let problems = try await problems(
            [:], flags: ["environment": "dev", "data": "/tmp/x", "listen": "0.0.0.0:8080", "s3.listen": "[::]:9000"]
        )
        #expect(problems.count == 2)
    }

    @Test("The command line wins over the environment, and that over the file")
    func precedence() async throws {
        try await withFile(#"{"data": "/file", "s3": {"region": "eu-west-1"}, "limits": {"bodyBytes": 65536}}"#) {
            file in
            let settings = try await read(
                ["PHOTOLALA_DATA": "/environment"], flags: ["environment": "dev"], file: file
            )
            #expect(settings.data == "/environment")
            #expect(settings.storage.region == "eu-west-1")
            #expect(settings.bodyLimit == 65536)
            let flagged = try await read(
                ["PHOTOLALA_DATA": "/environment"], flags: ["environment": "dev", "data": "/flag"], file: file
            )
            #expect(flagged.data == "/flag")
        }
    }

    @Test("A misspelt name in the file is a problem and never passed over")
    func misspelt() async throws {
        try await withFile(#"{"data": "/x", "s3": {"regoin": "eu-west-1"}}"#) { file in
            let problems = try await problems([:], flags: ["environment": "dev"], file: file)
            #expect(problems == ["\(file): there is no setting \"s3.regoin\""])
        }
    }

    @Test(
        "Values that are none are named with what they should be",
        arguments: [
            ("PHOTOLALA_LIMITS_BODY_BYTES", "lots"), ("PHOTOLALA_LIMITS_BODY_BYTES", "1"),
            ("PHOTOLALA_LISTEN", "8080"), ("PHOTOLALA_LISTEN", "127.0.0.1:99999"), ("PHOTOLALA_LISTEN", "::1:80"),
            ("PHOTOLALA_SIGN_IN_ALLOW_CONTINUE", "maybe"), ("PHOTOLALA_KEYS_MASTER", "k1:AAAA"),
            ("PHOTOLALA_LIMITS_TRUSTED_PROXIES", "everyone"), ("PHOTOLALA_PUBLIC_URL", "accounts.example"),
            ("PHOTOLALA_SUBJECTS", "hash"), ("PHOTOLALA_LOG_LEVEL", "loud"),
        ])
    func badValues(variable: String, value: String) async throws {
        let problems = try await problems([variable: value], flags: ["environment": "dev", "data": "/tmp/x"])
        #expect(problems.count == 1, "\(problems)")
    }

    @Test("A master key is never repeated in a problem")
    func secretsStaySecret() async throws {
        let problems = try await problems(
            ["PHOTOLALA_KEYS_MASTER": "K1:c2VjcmV0"], flags: ["environment": "dev", "data": "/tmp/x"]
        )
        #expect(!problems.joined().contains("c2VjcmV0"))
    }

    @Test("Every setting and its environment variable stand in the documentation")
    func documentation() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try String(contentsOf: root.appendingPathComponent("docs/configuration.md"), encoding: .utf8)
        for setting in SettingName.allCases {
            #expect(text.contains("`\(setting.rawValue)`"), "\(setting.rawValue)")
            #expect(text.contains("`\(setting.environmentVariable)`"), "\(setting.environmentVariable)")
        }
    }
}

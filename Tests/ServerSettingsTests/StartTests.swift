import AccountMaintenance
import Accounts
import Foundation
import Logging
import ObjectStorage
import PhotolalaAPI
import Testing

@testable import ServiceWiring
@testable import photolala_server

/// A server that cannot start reports the reason to the operator and changes nothing.
@Suite struct StartTests {
    private let key = SettingsFixture.key
    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    private func withFolder(_ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("start-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        // Commands must not see the variables of a developer's shell.
        try await SettingsOptions.$variables.withValue([:]) { try await body(folder.path) }
    }

    private func stage(_ data: String, _ more: [String: String] = [:]) throws -> Settings {
        let variables = [
            "PHOTOLALA_KEYS_MASTER": key, "PHOTOLALA_APPLE_AUDIENCES": "app", "PHOTOLALA_GOOGLE_AUDIENCES": "client",
        ]
        // An address for documentation (RFC 5737) that no machine has, so that every start fails there at the latest.
        return try SettingsFixture.read(
            variables.merging(more) { _, new in new },
            flags: [.environment: "stage", .data: data, .listen: "192.0.2.1:8080", .s3Listen: "192.0.2.1:9000"]
        )
    }

    /// Returns why a server does not start.
    private func problem(_ settings: Settings) async throws -> String {
        do {
            try await Live(settings).run()
            return ""
        } catch let problem as StartProblem {
            for word in ["Error", "Optional", "descriptor", "(\"", "Secrets.", "errno"] {
                #expect(!problem.description.contains(word))
            }
            return problem.description
        }
    }

    @Test("an address that this machine does not have is reported with its setting")
    func otherAddress() async throws {
        try await withFolder { data in
            let problem = try await problem(try stage(data))
            // Either listener may fail first.
            #expect(
                [
                    "192.0.2.1:8080 is not an address of this machine. Choose another address with --listen",
                    "192.0.2.1:9000 is not an address of this machine. Choose another address with --s3-listen",
                ].contains(problem)
            )
        }
    }

    @Test("a file instead of a folder, a damaged database and a missing one are reported separately")
    func damagedStores() async throws {
        try await withFolder { data in
            try Data("x".utf8).write(to: URL(fileURLWithPath: "\(data)/file"))
            #expect(try await problem(try stage("\(data)/file")) == "\(data)/file is a file; data must be a folder")
            try FileManager.default.createDirectory(atPath: "\(data)/lost/photos", withIntermediateDirectories: true)
            #expect(try await problem(try stage("\(data)/lost")).contains("Restore that file from a backup"))
            try FileManager.default.createDirectory(atPath: "\(data)/damaged", withIntermediateDirectories: true)
            try Data(repeating: 0x55, count: 8192).write(to: URL(fileURLWithPath: "\(data)/damaged/photolala.sqlite"))
            let damaged = try await problem(try stage("\(data)/damaged"))
            #expect(damaged.hasPrefix("the store in \(data)/damaged is damaged ("))
        }
    }

    @Test("a store with another environment, subject mode or master key is rejected with a remedy")
    func otherStores() async throws {
        try await withFolder { data in
            _ = try await problem(try stage(data))
            let dev = try SettingsFixture.read(flags: [.environment: "dev", .data: data])
            #expect(try await problem(dev) == "the store in \(data) belongs to stage, not to dev")
            #expect(!FileManager.default.fileExists(atPath: DevelopmentSecrets.folder(data)))
            let hashed = try await problem(try stage(data, ["PHOTOLALA_SUBJECTS": "hashed"]))
            #expect(hashed.contains("Remove the setting subjects, or set it to plain"))
            let bytes = Data(repeating: 2, count: 32).base64EncodedString()
            let wrong = try await problem(try stage(data, ["PHOTOLALA_KEYS_MASTER": "k1:\(bytes)"]))
            #expect(wrong.contains("the master key k1 in the settings is not the key of"))
            let missing = try await problem(try stage(data, ["PHOTOLALA_KEYS_MASTER": "k2:\(bytes)"]))
            #expect(missing == "the store in \(data) requires the master key k1. Add it to keys.previous")
        }
    }

    @Test("a recovery without the snapshot's generated key names it and creates nothing")
    func recoveryWithoutKey() async throws {
        try await withFolder { folder in
            let (old, new, file) = ("\(folder)/old", "\(folder)/new", "\(folder)/snapshot")
            let dev = try SettingsFixture.read(flags: [.environment: "dev", .data: old])
            try await LiveStore.use(dev, logger: logger) { store in
                _ = try await LiveStore.checkManifest(store, dev, stampingNew: true)
            }
            let options = ["--environment", "dev", "--data"]
            try await TakeSnapshot.parse(options + [old, file]).run()
            for flags in [[], ["--apply"]] {
                await #expect(throws: (any Error).self) {
                    try await RecoverStore.parse(options + [new, file] + flags).run()
                }
            }
            #expect(!FileManager.default.fileExists(atPath: new))
            let settings = try SettingsFixture.read(flags: [.environment: "dev", .data: new])
            let missing = #expect(throws: StartProblem.self) { try LiveStore.makeKeyRing(settings) }
            #expect(missing?.description.contains("Copy development-secrets/ from") == true)
            let wrong = StartProblem(ofCommand: SnapshotError.notAuthentic(keyID: "dev"), settings)
            #expect(wrong.description.contains("Copy development-secrets/ from"), "\(wrong)")
            try FileManager.default.createDirectory(atPath: new, withIntermediateDirectories: true)
            try FileManager.default.copyItem(
                atPath: DevelopmentSecrets.folder(old), toPath: DevelopmentSecrets.folder(new))
            try await RecoverStore.parse(options + [new, file]).run()
            #expect(try FileManager.default.contentsOfDirectory(atPath: new) == ["development-secrets"])
        }
    }

    @Test("a folder that may not be read is not reported as missing")
    func unreadableStore() {
        #expect(LiveStore.missingStore("/data", ENOENT).description == "no store found in /data")
        #expect(LiveStore.missingStore("/data", EACCES).description.contains("permission denied"))
        #expect(LiveStore.missingStore("/data", EIO).description.hasPrefix("cannot read /data: "))
    }

    @Test("all providers with changed issuers are reported together, with the command for each")
    func otherIssuers() async throws {
        try await withFolder { data in
            _ = try await problem(try stage(data))
            let moved = try await problem(
                try stage(
                    data,
                    [
                        "PHOTOLALA_APPLE_ISSUERS": "https://a.example",
                        "PHOTOLALA_GOOGLE_ISSUERS": "https://accounts.google.com,https://g.example",
                    ]
                )
            )
            #expect(moved.contains("photolala-server accept-issuer apple https://a.example"))
            #expect(
                moved.contains("photolala-server accept-issuer google https://accounts.google.com https://g.example")
            )
        }
    }

    @Test("accept-issuer creates no folder and changes no store that does not match the settings")
    func acceptIssuer() async throws {
        try await withFolder { data in
            try await acceptIssuer("\(data)/misspelt", fails: true)
            #expect(!FileManager.default.fileExists(atPath: "\(data)/misspelt"))
            let stage = try stage("\(data)/stage")
            _ = try await problem(stage)
            try await acceptIssuer("\(data)/stage", fails: true)
            #expect(try await recorded(["https://appleid.apple.com"], stage))
            let dev = try SettingsFixture.read(flags: [.environment: "dev", .data: "\(data)/dev"])
            try await LiveStore.use(dev, logger: logger) { store in
                _ = try await LiveStore.checkManifest(store, dev, stampingNew: true)
            }
            try await acceptIssuer("\(data)/dev", fails: true)
            #expect(try await recorded(["https://first.example"], dev))
            try await acceptIssuer("\(data)/dev", fails: false)
            #expect(try await recorded(["https://a.example", "https://b.example"], dev))
            #expect(try await !recorded(["https://first.example"], dev))
        }
    }

    private func acceptIssuer(_ data: String, fails: Bool) async throws {
        let command = try AcceptIssuer.parse([
            "--environment", "dev", "--data", data, "apple", "https://a.example", "https://b.example",
        ])
        do {
            try await command.run()
            #expect(!fails)
        } catch {
            #expect(fails, "\(error)")
        }
    }

    /// Returns whether Apple's issuers are these. The first use records them.
    private func recorded(_ issuers: [String], _ settings: Settings) async throws -> Bool {
        var mismatches: [IssuerMismatch] = []
        try await LiveStore.use(settings, logger: logger) { store in
            mismatches = try await ProviderRegistry(store: store, retry: LiveStore.retry).register([(.apple, issuers)])
        }
        return mismatches.isEmpty
    }
}

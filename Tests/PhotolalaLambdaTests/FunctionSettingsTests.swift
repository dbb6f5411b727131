import Foundation
import HTTPTypes
import NIOCore
import PhotolalaLambda
import ServiceWiring
import Synchronization
import Testing
import Transport

/// The settings of functions: from the environment and from a secret.
@Suite struct FunctionSettingsTests {
    private static let arn = "arn:aws:secretsmanager:eu-west-1:123456789012:secret:photolala/dev-AbCdEf"
    private static let key = "k1:\(Data(repeating: 1, count: 32).base64EncodedString())"
    private static let variables = [
        "PHOTOLALA_ENVIRONMENT": "dev", "PHOTOLALA_STORE": "s3", "PHOTOLALA_S3_ENDPOINT": "http://127.0.0.1:8333",
        "PHOTOLALA_STS_ROLE_ARN": "arn:aws:iam::000000000000:role/photolala-user",
        "AWS_ACCESS_KEY_ID": "AKID", "AWS_SECRET_ACCESS_KEY": "secret",
    ]

    /// Secrets Manager with one response.
    private struct SecretsManager: HTTPTransport {
        let status: Int
        let body: String

        func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
            TransportResponse(
                status: status, headers: [:],
                body: AsyncThrowingStream<ByteBuffer, any Error> { [body] continuation in
                    continuation.yield(ByteBuffer(string: body))
                    continuation.finish()
                })
        }

        /// A secret with this text.
        static func secret(_ text: String) throws -> SecretsManager {
            let body = try JSONEncoder().encode(["SecretString": text])
            return SecretsManager(status: 200, body: String(decoding: body, as: UTF8.self))
        }
    }

    private func read(_ more: [String: String], _ service: SecretsManager) async throws -> Settings {
        let variables = Self.variables.merging(more) { $1 }
        return try await SettingsSecret(variables, transport: service, now: { Date(timeIntervalSince1970: 0) }).read()
    }

    private var named: [String: String] { ["PHOTOLALA_SETTINGS_SECRET": Self.arn] }

    @Test func `keys come from the secret, and a variable takes precedence over it`() async throws {
        let secret = try SecretsManager.secret(#"{"keys":{"master":"\#(Self.key)"},"s3":{"bucket":"from-secret"}}"#)
        let settings = try await read(named, secret)
        #expect(settings.masterKey?.id == "k1" && settings.store.bucketName == "from-secret")
        let other = try await read(named.merging(["PHOTOLALA_S3_BUCKET": "from-variable"]) { $1 }, secret)
        #expect(other.store.bucketName == "from-variable")
        let plain = try await read(["PHOTOLALA_KEYS_MASTER": Self.key], SecretsManager(status: 500, body: ""))
        #expect(plain.masterKey?.id == "k1")
    }

    @Test(
        "a secret that cannot be read is reported with the remedy",
        arguments: [
            (400, #"{"__type":"AccessDeniedException"}"#, "Allow the function's role secretsmanager:GetSecretValue"),
            (400, #"{"__type":"ResourceNotFoundException"}"#, "does not exist"),
            (200, #"{"SecretBinary":"AAAA"}"#, "has no text"), (500, "", "did not answer"),
        ])
    func unreadable(status: Int, body: String, words: String) async throws {
        let problem = await #expect(throws: StartProblem.self) {
            try await read(named, SecretsManager(status: status, body: body))
        }
        #expect(problem?.description.hasPrefix("PHOTOLALA_SETTINGS_SECRET: ") == true)
        #expect(problem?.description.contains(words) == true)
    }

    @Test func `a malformed secret or name is reported without the secret's content`() async throws {
        let malformed = await #expect(throws: SettingsProblems.self) {
            try await read(named, try SecretsManager.secret("top-secret"))
        }
        #expect(malformed?.problems.first?.hasPrefix("PHOTOLALA_SETTINGS_SECRET: settings secret is not JSON") == true)
        #expect(malformed?.description.contains("top-secret") == false)
        let unknown = await #expect(throws: SettingsProblems.self) {
            try await read(named, try SecretsManager.secret(#"{"keys":{"master":"top-secret"},"key":"top-secret"}"#))
        }
        #expect(unknown?.description.contains("PHOTOLALA_SETTINGS_SECRET: unknown setting \"key\"") == true)
        #expect(unknown?.description.contains("top-secret") == false)
        let name = await #expect(throws: StartProblem.self) {
            try await read(
                ["PHOTOLALA_SETTINGS_SECRET": "photolala"], SecretsManager(status: 200, body: "{}"))
        }
        #expect(name?.description.contains("must be the ARN") == true)
    }

    @Test func `a secret that has a member twice is refused`() async throws {
        let problem = await #expect(throws: SettingsProblems.self) {
            try await read(
                named, try SecretsManager.secret(#"{"keys":{"master":"top-secret","master":"\#(Self.key)"}}"#))
        }
        #expect(problem?.problems == ["PHOTOLALA_SETTINGS_SECRET: settings secret has a member twice"])
    }

    @Test(
        "a URL with a password is refused without it",
        arguments: [#""s3":{"internalEndpoint":"http://u:PASS@h"}"#, #""sts":{"endpoint":"ftp://u:PA@SS/@h"}"#])
    func password(member: String) async throws {
        let problem = await #expect(throws: SettingsProblems.self) {
            try await read(named, try SecretsManager.secret(#"{"keys":{"master":"\#(Self.key)"},\#(member)}"#))
        }
        let text = try #require(problem?.description)
        #expect(text.contains("://h") && !text.contains("PA") && !text.contains("SS"))
    }

    @Test func `callers of a function that cannot start do not get the reason`() async throws {
        let problems = await #expect(throws: SettingsProblems.self) {
            try await read(["PHOTOLALA_KEYS_MASTER": "bad"], SecretsManager(status: 500, body: ""))
        }
        let errors: [(any Error, String, String)] = [
            (StartProblem("the bucket b does not exist"), "start_problem", "the bucket b does not exist"),
            (try #require(problems), "invalid_settings", "keys.master: "),
            (CancellationError(), "start_problem", "unexpected error: "),
        ]
        for (error, type, reason) in errors {
            let failure = StartFailure(error)
            #expect(failure.reason.contains(reason))
            #expect(failure.report == InvocationFailure(type, "The service cannot start. Its log has the reason."))
        }
    }

    @Test func `a file and a secret together are refused`() async throws {
        let both = await #expect(throws: SettingsProblems.self) {
            try await read(
                named.merging(["PHOTOLALA_CONFIG": "/tmp/x.json"]) { $1 }, SecretsManager(status: 200, body: "{}"))
        }
        #expect(both?.problems == ["PHOTOLALA_CONFIG, PHOTOLALA_SETTINGS_SECRET: set only one of them"])
    }

    @Test func `a function refuses a folder, and dev under a public name`() async throws {
        let service = SecretsManager(status: 500, body: "")
        let key = ["PHOTOLALA_KEYS_MASTER": Self.key]
        try await read(key, service).requireFunction()
        let open = key.merging(["PHOTOLALA_PUBLIC_URL": "https://abc.lambda-url.eu-west-1.on.aws"]) { $1 }
        let settings = try await read(open, service)
        let problem = #expect(throws: StartProblem.self) { try settings.requireFunction() }
        #expect(problem?.description.contains("local emulator") == true)
        let folder = try await SettingsSecret(
            ["PHOTOLALA_ENVIRONMENT": "dev", "PHOTOLALA_DATA": "/tmp/x"], transport: service,
            now: { Date(timeIntervalSince1970: 0) }
        ).read()
        #expect(throws: StartProblem.self) { try folder.requireFunction() }
    }

    @Test func `the handler selects the function`() {
        #expect(FunctionName(handler: "api") == .api && FunctionName(handler: "jobs") == .jobs)
        #expect(FunctionName(handler: "GetSTSToken") == .direct(.getSTSToken))
        #expect(FunctionName(handler: "") == nil && FunctionName(handler: "index.handler") == nil)
        #expect(FunctionName.handlers.allSatisfy { FunctionName(handler: $0) != nil })
        #expect(FunctionName.handlers.count == 6)
    }
}

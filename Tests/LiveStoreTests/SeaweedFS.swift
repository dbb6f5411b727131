import AWSServices
import Foundation
import NIOCore
import ObjectStorage
import PhotolalaTesting
import Secrets
import SigV4
import Transport

/// A SeaweedFS of the tests' own, as `scripts/run-seaweedfs` starts it.
final class SeaweedFS: Sendable {
    /// What the script tells when it is up.
    private struct Announcement: Decodable {
        struct Keys: Decodable {
            let accessKey: String
            let secretKey: String
        }
        let endpoint: String
        let bucket: String
        let keys: [String: Keys]
        let role: String
        let signingKey: Data
    }

    let endpoint: String
    let bucket: String
    /// May do everything.
    let admin: AWSCredentials
    /// May what `deploy/aws/service-role-policy.json` says.
    let service: AWSCredentials
    /// May the same, and not list.
    let unlisting: AWSCredentials
    /// The role of users' sessions.
    let role: RoleARN
    /// What the token service signs sessions with.
    let signingKey: Data
    let transport: AsyncHTTPTransport
    private let process: Process
    /// The engine ends when this is closed, which the system does for a test run that is killed.
    private let input: Pipe

    private init(_ announcement: Announcement, _ process: Process, _ input: Pipe) throws {
        func keys(_ name: String) throws -> AWSCredentials {
            guard let keys = announcement.keys[name] else { throw ConformanceFailure("no keys of \(name)") }
            return AWSCredentials(accessKeyID: keys.accessKey, secretAccessKey: keys.secretKey)
        }
        endpoint = announcement.endpoint
        bucket = announcement.bucket
        admin = try keys("admin")
        service = try keys("service")
        unlisting = try keys("unlisting")
        guard let role = RoleARN(announcement.role) else { throw ConformanceFailure("\(announcement.role) is no role") }
        self.role = role
        signingKey = announcement.signingKey
        // Those who lose a race hold their connections for seconds.
        transport = AsyncHTTPTransport(connectionsPerHost: 200)
        self.process = process
        self.input = input
    }

    /// Runs an engine for as long as `body` takes.
    static func run(_ body: @Sendable (SeaweedFS) async throws -> Void) async throws {
        let server = try await start()
        let result: Result<Void, any Error>
        do {
            try await server.waitUntilItTakesWrites()
            result = .success(try await body(server))
        } catch {
            result = .failure(error)
        }
        await server.stop()
        try result.get()
    }

    private static func start() async throws -> SeaweedFS {
        let (process, input, output) = (Process(), Pipe(), Pipe())
        process.executableURL = Repository.root.appending(path: "scripts/run-seaweedfs")
        process.standardInput = input
        process.standardOutput = output
        let lines = AsyncStream<Data> { continuation in
            output.fileHandleForReading.readabilityHandler = { handle in
                let data = handle.availableData
                if data.isEmpty { continuation.finish() } else { continuation.yield(data) }
            }
        }
        try process.run()
        var text = Data()
        for await data in lines {
            text += data
            if text.last == UInt8(ascii: "\n") { break }
        }
        output.fileHandleForReading.readabilityHandler = nil
        guard let announcement = try? JSONDecoder().decode(Announcement.self, from: text) else {
            process.terminate()
            throw ConformanceFailure("SeaweedFS did not start")
        }
        return try SeaweedFS(announcement, process, input)
    }

    /// Another process' start can only be waited for. The port is open before writes are taken.
    private func waitUntilItTakesWrites() async throws {
        let store = try store()
        for _ in 0..<120 where process.isRunning {
            if (try? await store.put(ObjectKey(known: "ready"), ByteBuffer(), if: .always)) != nil { return }
            try await Task.sleep(for: .milliseconds(250))
        }
        throw ConformanceFailure("SeaweedFS does not take writes")
    }

    private func stop() async {
        await withCheckedContinuation { continuation in
            process.terminationHandler = { _ in continuation.resume() }
            process.terminate()
        }
        try? input.fileHandleForWriting.close()
        try? await transport.shutdown()
    }

    var raw: RawClient { RawClient(endpoint: endpoint, bucket: bucket, transport: transport) }

    func settings(bucket: String? = nil, region: String = "us-east-1") throws -> S3Settings {
        guard let settings = S3Settings(endpoint: endpoint, region: region, bucket: bucket ?? self.bucket) else {
            throw ConformanceFailure("settings")
        }
        return settings
    }

    /// - Parameter credentials: the admin's by default.
    func store(as credentials: AWSCredentials? = nil) throws -> S3ObjectStore {
        .live(try settings(), credentials ?? admin, transport)
    }

    /// Hands out users' credentials as the service does.
    /// - Parameter credentials: the service's by default.
    func issuer(as credentials: AWSCredentials? = nil) throws -> AssumeRoleCredentialIssuer {
        guard
            let settings = STSSettings(
                role: role, region: "us-east-1", endpoint: endpoint, bucket: bucket, storeEndpoint: endpoint)
        else { throw ConformanceFailure("settings") }
        return AssumeRoleCredentialIssuer(
            settings: settings, credentials: StaticCredentials(credentials ?? service), transport: transport,
            pause: Backoff(randomness: .system) { try? await Task.sleep(for: $0) }, now: { Date() }
        )
    }
}

extension S3ObjectStore {
    /// A store with the real clock and real waits.
    static func live(
        _ settings: S3Settings, _ credentials: AWSCredentials, _ transport: any HTTPTransport
    ) -> S3ObjectStore {
        S3ObjectStore(
            settings: settings, credentials: StaticCredentials(credentials), transport: transport,
            pause: Backoff(randomness: .system) { try? await Task.sleep(for: $0) }, now: { Date() }
        )
    }
}

/// Where this package's files are.
enum Repository {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
}

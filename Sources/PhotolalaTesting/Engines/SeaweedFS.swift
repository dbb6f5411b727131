import AWSServices
import Foundation
import NIOCore
import ObjectStorage
import SigV4
import Synchronization
import Transport

/// A SeaweedFS of the tests' own, as `scripts/run-seaweedfs` starts it.
package final class SeaweedFS: Sendable {
    /// What the script tells when it is up.
    struct Announcement: Decodable {
        struct Keys: Decodable {
            let accessKey: String
            let secretKey: String
        }
        let endpoint: String
        let bucket: String
        let keys: [String: Keys]
        let role: String
        let signingKey: Data
        /// The engine's own process.
        let process: Int32
    }

    /// The script, which ends the engine when its input is closed: the system does that for a test run that is killed.
    private struct Script {
        let process: ChildProcess
        let input: Pipe
        let engine: Int32
    }

    package let endpoint: String
    package let bucket: String
    /// May do everything.
    package let admin: AWSCredentials
    /// May what `deploy/aws/service-role-policy.json` says.
    package let service: AWSCredentials
    /// May the same, and not list.
    package let unlisting: AWSCredentials
    /// The role of which users' credentials are a part.
    package let role: String
    /// What the token service signs sessions with.
    package let signingKey: Data
    package let transport: AsyncHTTPTransport
    private let folder: URL
    private let script: Mutex<Script>

    private init(_ announcement: Announcement, _ script: Script, _ folder: URL) throws {
        func keys(_ name: String) throws -> AWSCredentials {
            guard let keys = announcement.keys[name] else { throw ConformanceFailure("no keys of \(name)") }
            return AWSCredentials(accessKeyID: keys.accessKey, secretAccessKey: keys.secretKey)
        }
        endpoint = announcement.endpoint
        bucket = announcement.bucket
        admin = try keys("admin")
        service = try keys("service")
        unlisting = try keys("unlisting")
        role = announcement.role
        signingKey = announcement.signingKey
        // Those who lose a race hold their connections for seconds.
        transport = AsyncHTTPTransport(connectionsPerHost: 200)
        self.folder = folder
        self.script = Mutex(script)
    }

    /// Why nothing can be proved against the engine, if so.
    package static var isUnwanted: Bool { ProcessInfo.processInfo.environment["SKIP_LIVE"] == "1" }
    package static var isInstalled: Bool {
        FileManager.default.isExecutableFile(atPath: Repository.root.appending(path: ".venv/seaweedfs/bin/weed").path)
    }

    /// Runs an engine for as long as `body` takes, in a folder that goes with it.
    package static func run(_ body: @Sendable (SeaweedFS) async throws -> Void) async throws {
        let name = "weed-data-\(ProcessInfo.processInfo.globallyUniqueString)"
        let folder = FileManager.default.temporaryDirectory.appending(path: name)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (script, announcement) = try await start(folder)
        let server = try SeaweedFS(announcement, script, folder)
        let result: Result<Void, any Error>
        do {
            try await server.waitUntilItWorks()
            result = .success(try await body(server))
        } catch {
            result = .failure(error)
        }
        await server.stop()
        try? await server.transport.shutdown()
        try result.get()
    }

    /// Ends the engine as a power cut would, without anything that it would do at its end.
    package func kill() async {
        let script = script.withLock { $0 }
        if script.process.isRunning { Foundation.kill(script.engine, SIGKILL) }
        await script.process.exit()
    }

    /// Starts the engine again after `kill`, with the data, addresses and keys that it had.
    package func restart() async throws {
        let (script, _) = try await Self.start(folder)
        self.script.withLock { $0 = script }
        try await waitUntilItWorks()
    }

    private static func start(_ folder: URL) async throws -> (Script, Announcement) {
        let (input, output) = (Pipe(), Pipe())
        let lines = AsyncStream<Data> { continuation in
            output.fileHandleForReading.readabilityHandler = { handle in
                let data = handle.availableData
                if data.isEmpty { continuation.finish() } else { continuation.yield(data) }
            }
        }
        let process = try ChildProcess(
            Repository.root.appending(path: "scripts/run-seaweedfs"), ["--keep", folder.path], input: input,
            output: .pipe(output))
        var text = Data()
        for await data in lines {
            text += data
            if text.last == UInt8(ascii: "\n") { break }
        }
        output.fileHandleForReading.readabilityHandler = nil
        guard let announcement = try? JSONDecoder().decode(Announcement.self, from: text) else {
            process.send(SIGTERM)
            throw ConformanceFailure("SeaweedFS did not start")
        }
        return (Script(process: process, input: input, engine: announcement.process), announcement)
    }

    /// Another process' start can only be waited for. The port is open before writes are taken, and names are known
    /// before bytes can be read, so some bytes have to come back.
    private func waitUntilItWorks() async throws {
        let (store, key) = (try store(), ObjectKey(known: "ready"))
        let bytes = ByteBuffer(repeating: 7, count: 64 << 10)
        for _ in 0..<480 where script.withLock({ $0.process.isRunning }) {
            if (try? await store.put(key, bytes, if: .always)) != nil, (try? await store.get(key)) != nil { return }
            try await Task.sleep(for: .milliseconds(250))
        }
        throw ConformanceFailure("SeaweedFS does not work")
    }

    private func stop() async {
        let script = script.withLock { $0 }
        script.process.send(SIGTERM)
        await script.process.exit()
        try? script.input.fileHandleForWriting.close()
    }

    package func settings(bucket: String? = nil, region: String = "us-east-1") throws -> S3Settings {
        guard let settings = S3Settings(endpoint: endpoint, region: region, bucket: bucket ?? self.bucket) else {
            throw ConformanceFailure("settings")
        }
        return settings
    }

    /// - Parameter credentials: the admin's by default.
    package func store(as credentials: AWSCredentials? = nil) throws -> S3ObjectStore {
        .live(try settings(), credentials ?? admin, transport)
    }
}

/// Where this package's files are.
package enum Repository {
    package static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
}

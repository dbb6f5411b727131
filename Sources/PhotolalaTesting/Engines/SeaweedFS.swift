import AWSServices
import Foundation
import NIOCore
import ObjectStorage
import S3Protocol
import Synchronization
import Transport

/// A SeaweedFS instance for tests, started by `scripts/run-seaweedfs`.
package final class SeaweedFS: Sendable {
    /// The script's message after the start.
    struct Announcement: Decodable {
        struct Keys: Decodable {
            let accessKey: String
            let secretKey: String
        }
        let endpoint: String
        let master: String
        let bucket: String
        let keys: [String: Keys]
        let role: String
        let eraserRole: String
        let signingKey: Data
        /// The process id of the engine itself.
        let process: Int32
    }

    /// The script. It stops the engine when its input is closed, which the system does if the test run is killed.
    private struct Script {
        let process: ChildProcess
        let input: Pipe
        let engine: Int32
    }

    package let endpoint: String
    package let bucket: String
    /// Full access.
    package let admin: AWSCredentials
    /// The permissions of `deploy/aws/service-role-policy.json`.
    package let service: AWSCredentials
    /// The permissions of `service` without listing.
    package let unlisting: AWSCredentials
    /// The role that users' credentials assume.
    package let role: String
    /// The role that erases deleted users' objects.
    package let eraserRole: String
    /// The key that signs the sessions of the token service.
    package let signingKey: Data
    package let transport: AsyncHTTPTransport
    /// The engine's data.
    package let folder: URL
    /// The address of the master, which keeps the list of volumes.
    private let master: String
    private let script: Mutex<Script>

    private init(_ announcement: Announcement, _ script: Script, _ folder: URL) throws {
        func keys(_ name: String) throws -> AWSCredentials {
            guard let keys = announcement.keys[name] else { throw ConformanceFailure("no keys of \(name)") }
            return AWSCredentials(accessKeyID: keys.accessKey, secretAccessKey: keys.secretKey)
        }
        endpoint = announcement.endpoint
        master = announcement.master
        bucket = announcement.bucket
        admin = try keys("admin")
        service = try keys("service")
        unlisting = try keys("unlisting")
        role = announcement.role
        eraserRole = announcement.eraserRole
        signingKey = announcement.signingKey
        // The losers of a race hold their connections for seconds.
        transport = AsyncHTTPTransport(connectionsPerHost: 200)
        self.folder = folder
        self.script = Mutex(script)
    }

    /// Whether tests against a live engine are disabled.
    package static var isSkipped: Bool { ProcessInfo.processInfo.environment["SKIP_LIVE"] == "1" }
    package static var isInstalled: Bool {
        FileManager.default.isExecutableFile(atPath: Repository.root.appending(path: ".venv/seaweedfs/bin/weed").path)
    }

    /// Runs an engine for the duration of `body`, in a temporary folder.
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

    /// Kills the engine with SIGKILL, so that it cannot shut down cleanly.
    package func kill() async {
        let script = script.withLock { $0 }
        if script.process.isRunning { Foundation.kill(script.engine, SIGKILL) }
        await script.process.exit()
    }

    /// Restarts the engine after `kill`, with the same data, addresses and keys.
    package func restart() async throws {
        let (script, _) = try await Self.start(folder)
        self.script.withLock { $0 = script }
        try await waitUntilItWorks()
    }

    /// Removes the bytes of deleted objects from the volumes. The engine deletes asynchronously: what it still counts as
    /// stored needs another vacuum.
    package func vacuum() async throws {
        let request = TransportRequest(method: .get, url: "\(master)/vol/vacuum?garbageThreshold=0.0001")
        let response = try await transport.send(request)
        guard response.status == 200 else { throw ConformanceFailure("vacuum: status \(response.status)") }
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

    /// Waits until the engine works. The port is open before writes are accepted, and names are known before bytes can
    /// be read, so the check writes and reads an object.
    private func waitUntilItWorks() async throws {
        let (store, key) = (try store(), ObjectKey(known: "ready"))
        let bytes = ByteBuffer(repeating: 7, count: 64 << 10)
        try await waitUntil("SeaweedFS stores objects", every: .milliseconds(250)) {
            guard script.withLock({ $0.process.isRunning }) else { throw ConformanceFailure("SeaweedFS has ended") }
            guard (try? await store.put(key, bytes, if: .always)) != nil else { return false }
            return (try? await store.get(key)) != nil
        }
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

    /// - Parameter credentials: The admin's by default.
    package func store(as credentials: AWSCredentials? = nil) throws -> S3ObjectStore {
        .live(try settings(), credentials ?? admin, transport)
    }
}

/// The location of this package's files.
package enum Repository {
    package static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    /// The folder of `scripts/install-vectors`. It does not exist if the script has not run.
    package static let vectors = root.appending(path: ".venv/vectors")
}

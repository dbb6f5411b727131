import AWSServices
import Foundation
import NIOCore
import ObjectStorage
import PhotoSync
import PhotolalaAPI
import PhotolalaTesting
import Secrets
import StorageAccess
import Synchronization
import Testing

/// Complete backups over an unreliable network to the one-machine endpoint.
@Suite("Backups over an unreliable network")
struct BadNetworkTests {
    /// A folder of photos, the device's state, and the destination of the restore.
    private struct Device {
        let folder: URL
        var photos: URL { folder.appending(path: "photos") }
        var state: String { folder.appending(path: "state").path }
        var restored: URL { folder.appending(path: "restored") }

        init(_ sizes: [Int]) throws {
            folder = FileManager.default.temporaryDirectory.appending(path: "photolala-\(UUID().uuidString)")
            for (index, size) in sizes.enumerated() {
                let place = photos.appending(path: "\(index % 3)/\(index).jpg")
                try FileManager.default.createDirectory(
                    at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
                var bytes = Data([0xff, 0xd8, 0xff, 0xe0, UInt8(index)])
                // No two parts of a large photo are equal.
                for block in 0...size / 65_536 { bytes.append(Data(repeating: UInt8(block & 255), count: 65_536)) }
                try bytes.prefix(size).write(to: place)
            }
        }

        /// Returns the bytes of every photo below a folder, by path.
        func bytes(in folder: URL) throws -> [String: Data] {
            let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            return try names.filter { $0.hasSuffix(".jpg") }.reduce(into: [:]) {
                $0[$1] = try Data(contentsOf: folder.appending(path: $1))
            }
        }
    }

    private let pause = Backoff(first: .milliseconds(1), longest: .milliseconds(20), randomness: .seeded(7)) {
        try? await Task.sleep(for: $0)
    }

    private func store(_ machine: OneMachine, port: Int, _ device: Device) async throws -> S3ObjectStore {
        let endpoint = "http://127.0.0.1:\(port)"
        let settings = try #require(
            S3Settings(endpoint: endpoint, region: "us-east-1", bucket: machine.raw.bucket))
        return S3ObjectStore(
            settings: settings,
            credentials: StaticCredentials(try await machine.credentials(of: machine.user, .readWrite)),
            transport: machine.raw.transport, pause: pause, now: { Date() },
            unfinished: UnfinishedUploadStore(stateFolder: device.state, store: endpoint)
        )
    }

    /// Repeats the backup until it is complete, then restores it over a reliable connection.
    private func transfersEverything(
        _ device: Device, _ machine: OneMachine, over store: S3ObjectStore,
        report: @escaping @Sendable (BackupEvent) -> Void = { _ in }
    ) async throws {
        defer { try? FileManager.default.removeItem(at: device.folder) }
        let backup = Backup(
            store: store, user: machine.user, stateFolder: device.state, pause: pause, now: { Date() })
        var isComplete = false
        for _ in 0..<20 where !isComplete {
            isComplete = (try? await backup.run(folder: device.photos.path, report: report))?.isComplete ?? false
        }
        #expect(isComplete)
        let restore = Restore(store: try await machine.store(), user: machine.user, pause: pause)
        let summary = try await restore.run(into: device.restored.path) { _ in }
        #expect(summary.isComplete)
        #expect(try device.bytes(in: device.restored) == device.bytes(in: device.photos))
    }

    @Test("a backup over connections that are cut after arbitrary numbers of bytes completes", arguments: [1, 2, 3])
    func cut(seed: UInt64) async throws {
        try await OneMachine.run { machine in
            let randomness = Randomness.seeded(seed)
            let lives = (0..<40).map { _ in
                let number = randomness.bytes(4).reduce(0) { $0 << 8 | Int($1) }
                // Some connections end in a request's head, some in a body, some in a response.
                return number % [300, 3_000, 300_000, 12_000_000][number >> 16 & 3]
            }
            let target = try #require(URL(string: machine.raw.endpoint)?.port)
            let proxy = CuttingProxy(to: target, lives: lives)
            let device = try Device((0..<30).map { 2_000 + $0 * 10_000 } + [18 << 20])
            let store = try await store(machine, port: try await proxy.start(), device)
            try await transfersEverything(device, machine, over: store)
            #expect(proxy.cuts >= 10)
            await proxy.stop()
        }
    }

    @Test("a backup completes although the server restarts twice")
    func restart() async throws {
        try await OneMachine.run { machine in
            let target = try #require(URL(string: machine.raw.endpoint)?.port)
            let proxy = CuttingProxy(to: target, lives: [])
            let port = try await proxy.start()
            let device = try Device((0..<60).map { 2_000 + $0 * 5_000 })
            let store = try await store(machine, port: port, device)
            let (finished, continuation) = AsyncStream.makeStream(of: Void.self)
            let restarting = Task {
                var count = 0
                for await _ in finished {
                    count += 1
                    guard count == 15 || count == 40 else { continue }
                    await proxy.stop()
                    _ = try await proxy.start(port: port)
                }
                return count
            }
            try await transfersEverything(device, machine, over: store) { event in
                if case .finished = event { continuation.yield() }
            }
            continuation.finish()
            #expect(try await restarting.value >= 60)
            await proxy.stop()
        }
    }
}

import Foundation
import NIOCore
import ObjectStorage
import PhotoCatalog
import PhotolalaAPI
import PhotolalaTesting
import Synchronization

@testable import PhotoSync

/// A system whose tasks do only what the test says.
final class ManualSystem: BackgroundTransfer {
    let tasks = Mutex<[Int: (upload: BackgroundUpload, hasBegun: Bool)]>([:])
    let started = Mutex<[BackgroundUpload]>([])
    let cancelled = Mutex<[Int]>([])
    /// Called after each start.
    let onStart = Mutex<(@Sendable () -> Void)?>(nil)

    func start(_ upload: BackgroundUpload) async throws(BackgroundTransferError) -> Int {
        let id = started.withLock { started in
            started.append(upload)
            return started.count
        }
        tasks.withLock { $0[id] = (upload, false) }
        onStart.withLock { $0 }?()
        return id
    }

    func running() async -> [BackgroundTask] {
        tasks.withLock { $0.map { BackgroundTask(id: $0, name: $1.upload.name, hasBegun: $1.hasBegun) } }
    }

    func cancel(_ ids: Set<Int>) async {
        cancelled.withLock { $0 += ids }
        tasks.withLock { for id in ids { $0[id] = nil } }
    }
}

/// The queue of one user over a store in memory, with a server that reserves everything.
final class QueueFixture: Sendable {
    let state: TemporaryFolder
    let clock = TestClock()
    let store: CountingObjectStore
    let system = ManualSystem()
    let inbox = BackgroundInbox()
    let user = UserID(uuid: UUID())
    /// The clock of the server.
    let server = TestClock()
    let requests = Mutex<[Int]>([])
    /// Whether nothing can be written to the queue's file.
    let isFull = Mutex(false)

    init() throws {
        state = try TemporaryFolder()
        let server = server
        store = CountingObjectStore { server.now }
    }

    var starts: Int { system.started.withLock { $0.count } }
    var folder: String { "\(state.path)/background-\(user)" }
    var queueFile: String { "\(folder)/queue" }

    /// Opens the queue, like a new process of the app.
    func open(limits: BackgroundLimits = BackgroundLimits()) throws -> BackgroundUploads {
        let queue = try UploadQueue(folder) { [self] bytes, descriptor throws(FileError) in
            guard isFull.withLock({ $0 }) else { return try writeAll(bytes, to: descriptor) }
            // A full disk takes a part.
            try writeAll(bytes.getSlice(at: 0, length: bytes.readableBytes / 2) ?? ByteBuffer(), to: descriptor)
            throw .outOfSpace
        }
        return BackgroundUploads(
            queue, stateFolder: state.path, user: user, device: .none, store: store, pause: .none, transfer: system,
            inbox: inbox, limits: limits,
            reserve: { [self] requests throws(BackgroundStop) in
                self.requests.withLock { $0.append(requests.uploads.count) }
                return ReservedUploads(
                    uploads: requests.uploads.map {
                        ReservedUpload(
                            url: "https://s3.example/\($0.md5)", headers: ["content-length": "\($0.size)"],
                            expiresAt: server.now.addingTimeInterval(TimeInterval(requests.lifetime ?? 300)))
                    }, storageLimit: .max)
            }, now: { [clock] in clock.now })
    }

    static func bytes(_ number: Int) -> ByteBuffer { ByteBuffer(bytes: PhotoBytes.jpeg(number)) }

    func entry(_ number: Int) throws -> CatalogEntry {
        let bytes = Self.bytes(number)
        return CatalogEntry(
            path: LibraryPath(known: "\(number).jpg"), md5: ContentDigest(of: bytes),
            size: Int64(bytes.readableBytes), modified: Timestamp(whole: clock.now), type: .jpeg, media: MediaFacts())
    }

    func add(_ number: Int, to uploads: BackgroundUploads) async throws {
        try await uploads.add(try entry(number), ObjectBody(Self.bytes(number)))
    }

    func key(_ number: Int) -> ObjectKey {
        let md5 = ContentDigest(of: Self.bytes(number)).description
        return ObjectKey(known: StorageLayout.photo(user, md5: md5))
    }

    /// Ends a task.
    /// - Parameters:
    ///   - isStored: Whether the store gets the bytes.
    ///   - report: Whether the app learns of the end and, if so, that the bytes are stored; `nil` if not.
    func finish(_ id: Int, isStored: Bool, report: Bool?) async throws {
        guard let task = system.tasks.withLock({ $0.removeValue(forKey: id) }) else { return }
        if isStored, let data = FileManager.default.contents(atPath: task.upload.file) {
            let md5 = String(task.upload.name.suffix(32))
            let key = ObjectKey(known: StorageLayout.photo(user, md5: md5))
            _ = try await store.memory.put(key, ByteBuffer(bytes: data), if: .always)
        }
        guard let report else { return }
        inbox.post(
            BackgroundTaskEnd(BackgroundTask(id: id, name: task.upload.name, hasBegun: true), isStored: report))
    }

    func library() async throws -> [String] {
        try await CatalogStore(store: store.memory, user: user, pause: .none).load().catalog.entries
            .map(\.path.description)
    }

    /// The files of the queue's folder with this ending.
    func files(_ ending: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(ending) }
    }
}

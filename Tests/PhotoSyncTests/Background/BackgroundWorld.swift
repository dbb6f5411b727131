import Foundation
import NIOCore
import ObjectStorage
import PhotoCatalog
import PhotolalaAPI
import PhotolalaTesting
import Subscriptions
import Synchronization
import UseCases

@testable import PhotoSync

/// Bob's phone with a folder of photos, its system, and the whole service with reserved uploads.
final class BackgroundWorld: Sendable {
    /// The largest number of bytes that Bob may store.
    static let limit: Int64 = 20_000

    /// One step at a time, so that the moment of a kill depends on the seed and little else.
    private static var settings: BackupSettings {
        var settings = BackupSettings()
        (settings.parallelFiles, settings.verifiesStoredBytes) = (1...1, true)
        return settings
    }

    let folder: TemporaryFolder
    let state: TemporaryFolder
    let service: TestService
    let memory: MemoryObjectStore
    let clock: TestClock
    let system: FakeBackgroundSystem
    let user: UserID
    let session: Mutex<Session>
    /// The steps until the app is killed; `nil` while it is not.
    let life = Mutex<(left: Int?, isDead: Bool)>((nil, false))
    /// The state on the disk when the app was killed.
    private let remains = Mutex<TemporaryFolder?>(nil)
    private let random: Mutex<SeededGenerator>
    /// Whether the system continues uploads while the app runs.
    private let isBusy: Bool

    /// - Parameters:
    ///   - isBusy: Whether the system continues uploads while the app runs.
    ///   - isDelaying: Whether the store may process the bytes of a task after the app has cancelled it.
    init(
        seed: UInt64 = 0, isBusy: Bool = false, isDelaying: Bool = false, lifetime: TimeInterval = 604_800
    ) async throws {
        let clock = TestClock()
        (folder, state) = (try TemporaryFolder(), try TemporaryFolder())
        let memory = MemoryObjectStore { clock.now }
        var options = TestService.Options()
        options.plan = TierPlan([.free: .init(storageLimit: Self.limit, products: [])])
        options.reservesUploads = true
        options.uploadAddressLifetime = lifetime
        options.hasPlainTokens = true
        let service = try await TestService.make(options, store: memory, clock: clock)
        let bob = try await service.signUp(.apple, "bob")
        let user = bob.user.serviceUserID
        (self.clock, self.memory, self.service, self.user) = (clock, memory, service, user)
        session = Mutex(bob.session)
        self.isBusy = isBusy
        random = Mutex(SeededGenerator(seed: seed ^ 0x5eed))
        system = FakeBackgroundSystem(seed: seed, user: user, isDelaying: isDelaying, now: { clock.now }) {
            key, bytes in
            // The endpoint checks the account at each use.
            guard let account = try? await service.components.accounts.account(user)?.value,
                account.storageAccess(within: .max) == .readWrite
            else { return false }
            return (try? await memory.put(key, bytes, if: .always)) != nil
        }
    }

    func chance(_ percent: Int) -> Bool { random.withLock { Int.random(in: 0..<100, using: &$0) < percent } }
    func number(_ range: Range<Int>) -> Int { random.withLock { Int.random(in: range, using: &$0) } }

    /// Passes a moment at which the app can be killed, and at which the system may continue an upload.
    func moment() async throws(ObjectStoreError) {
        if isBusy, chance(20) { await system.step() }
        let dies = life.withLock { life in
            guard let left = life.left, !life.isDead else { return false }
            life.left = left - 1
            life.isDead = left <= 0
            return life.isDead
        }
        if dies {
            let copy = try? TemporaryFolder(copyOf: state.path)
            remains.withLock { $0 = copy }
            system.connect(nil)
        }
        if life.withLock({ $0.isDead }) { throw .denied("the process has ended") }
    }

    /// Launches the app, which backs up the folder and continues its uploads.
    /// - Parameter steps: The number of moments after which it is killed; `nil` to let it end by itself.
    /// - Returns: Why the uploads did not continue.
    @discardableResult
    func launch(
        killedAfter steps: Int? = nil, backingUp: Bool = true, networks: PermittedNetworks = .all
    ) async throws -> BackgroundStop? {
        life.withLock { $0 = (steps, false) }
        defer {
            if let copy = remains.withLock({ $0 }) {
                try? FileManager.default.removeItem(atPath: state.path)
                try? FileManager.default.copyItem(atPath: copy.path, toPath: state.path)
                remains.withLock { $0 = nil }
            }
            system.connect(nil)
        }
        let inbox = BackgroundInbox()
        let store = MortalStore(world: self)
        let uploads = try BackgroundUploads(
            in: state.path, user: user, device: DeviceTag(deviceID: "abcdef01"), store: store, pause: .none,
            transfer: MortalTransfer(world: self), inbox: inbox,
            reserve: { [self] requests throws(BackgroundStop) in try await reserve(requests) },
            now: { [clock] in clock.now })
        system.connect(inbox)
        if backingUp {
            var backup = Backup(
                store: store, user: user, device: DeviceTag(deviceID: "abcdef01"), stateFolder: state.path,
                settings: Self.settings, pause: .none, now: { [clock] in clock.now })
            backup.deferred = uploads
            _ = try? await backup.run(folder: folder.path) { _ in }
        }
        do throws(BackgroundStop) {
            try await uploads.advance(over: networks)
            return nil
        } catch {
            return error
        }
    }

    /// Opens the queue without continuing it.
    func counts() async throws -> BackgroundCounts {
        let uploads = try BackgroundUploads(
            in: state.path, user: user, device: .none, store: memory, pause: .none, transfer: system,
            inbox: BackgroundInbox(), reserve: { _ throws(BackgroundStop) in throw .transfer("") },
            now: { [clock] in clock.now })
        return await uploads.counts
    }

    private func reserve(_ requests: UploadRequests) async throws(BackgroundStop) -> ReservedUploads {
        do {
            try await moment()
            let caller: Caller
            do { caller = try await service.caller(session.withLock { $0 }) } catch {
                let token = session.withLock { $0.refreshToken }
                let renewed = try await service.services.sessions.refresh(RefreshRequest(refreshToken: token)).session
                session.withLock { $0 = renewed }
                caller = try await service.caller(renewed)
            }
            let reserved = try await service.services.uploads.reserveUploads(requests, caller: caller)
            try await moment()
            return reserved
        } catch let error as ServiceError {
            throw .reservation(code: "\(error)", detail: "")
        } catch {
            throw .reservation(code: "ended", detail: "\(error)")
        }
    }

    /// The paths and contents of the library.
    func library() async throws -> [String: String] {
        let catalog = try await CatalogStore(store: memory, user: user, pause: .none).load().catalog
        return Dictionary(
            uniqueKeysWithValues: catalog.entries.map { ($0.path.description, $0.md5.description) })
    }

    func photo(_ bytes: [UInt8]) -> ObjectKey {
        ObjectKey(known: StorageLayout.photo(user, md5: ContentDigest(of: ByteBuffer(bytes: bytes)).description))
    }
}

/// The system as an app reaches it that can be killed before and after each call.
private struct MortalTransfer: BackgroundTransfer {
    let world: BackgroundWorld

    func start(_ upload: BackgroundUpload) async throws(BackgroundTransferError) -> Int {
        do throws(ObjectStoreError) {
            try await world.moment()
            let task: Int
            do { task = try await world.system.start(upload) } catch { throw .denied("") }
            try await world.moment()
            return task
        } catch {
            throw BackgroundTransferError(detail: "\(error)")
        }
    }

    func running() async -> [BackgroundTask] {
        let tasks = await world.system.running()
        try? await world.moment()
        return tasks
    }

    func cancel(_ tasks: Set<Int>) async {
        guard (try? await world.moment()) != nil else { return }
        await world.system.cancel(tasks)
        try? await world.moment()
    }
}

/// The store as such an app reaches it.
private struct MortalStore: ObjectStore {
    let world: BackgroundWorld

    private func call<Value>(
        _ work: () async throws(ObjectStoreError) -> Value
    ) async throws(ObjectStoreError) -> Value {
        try await world.moment()
        let value = try await work()
        try await world.moment()
        return value
    }

    func get(_ key: ObjectKey, limit: Int) async throws(ObjectStoreError) -> StoredObject? {
        try await call { () async throws(ObjectStoreError) in try await world.memory.get(key, limit: limit) }
    }

    func head(_ key: ObjectKey) async throws(ObjectStoreError) -> ObjectInfo? {
        try await call { () async throws(ObjectStoreError) in try await world.memory.head(key) }
    }

    func read(_ key: ObjectKey, range: ByteRange?) async throws(ObjectStoreError) -> StreamedObject? {
        try await call { () async throws(ObjectStoreError) in try await world.memory.read(key, range: range) }
    }

    func put(_ key: ObjectKey, _ bytes: ByteBuffer, if condition: PutCondition) async throws(ObjectStoreError) -> ETag {
        try await call { () async throws(ObjectStoreError) in
            try await world.memory.put(key, bytes, if: condition)
        }
    }

    func write(
        _ key: ObjectKey, _ body: ObjectBody, attributes: ObjectAttributes, if condition: PutCondition
    ) async throws(ObjectStoreError) -> ObjectInfo {
        try await call { () async throws(ObjectStoreError) in
            try await world.memory.write(key, body, attributes: attributes, if: condition)
        }
    }

    func delete(_ key: ObjectKey, if condition: DeleteCondition) async throws(ObjectStoreError) {
        try await call { () async throws(ObjectStoreError) in try await world.memory.delete(key, if: condition) }
    }

    func list(prefix: String, after: String?, limit: Int) async throws(ObjectStoreError) -> ObjectPage {
        try await call { () async throws(ObjectStoreError) in
            try await world.memory.list(prefix: prefix, after: after, limit: limit)
        }
    }
}

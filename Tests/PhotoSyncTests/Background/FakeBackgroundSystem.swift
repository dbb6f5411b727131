import Foundation
import NIOCore
import ObjectStorage
import PhotoCatalog
import PhotolalaAPI
import PhotolalaTesting
import Synchronization

@testable import PhotoSync

/// A system that uploads files while the app does not run. Each step of a task is chosen by a seed: it begins, fails,
/// stores the bytes, or stores them and loses the response. The last bytes of a cancelled task may arrive.
final class FakeBackgroundSystem: BackgroundTransfer {
    /// Stores bytes like the store of the deployment, if it accepts them.
    typealias Put = @Sendable (ObjectKey, ByteBuffer) async -> Bool

    private struct Task {
        let upload: BackgroundUpload
        var hasBegun = false
        /// Whether a step waits for the store.
        var isSending = false
    }

    private struct State {
        var tasks: [Int: Task] = [:]
        var lastID = 0
        var random: SeededGenerator
        /// The inbox of the running app; `nil` while none runs.
        var inbox: BackgroundInbox?
        /// The ends that the next app receives.
        var kept: [BackgroundTaskEnd] = []
        var stored: [String: Int] = [:]
        /// Cancelled uploads whose bytes arrive at a later step, and the number of those that arrived.
        var delayed: [BackgroundUpload] = []
        var late: [String: Int] = [:]
        var networks: [PermittedNetworks] = []
    }

    private let state: Mutex<State>
    private let user: UserID
    private let put: Put
    private let now: @Sendable () -> Date
    /// Whether the store may process the bytes of a task after the app has cancelled it.
    private let isDelaying: Bool

    init(
        seed: UInt64, user: UserID, isDelaying: Bool, now: @escaping @Sendable () -> Date, put: @escaping Put
    ) {
        state = Mutex(State(random: SeededGenerator(seed: seed)))
        (self.user, self.isDelaying, self.now, self.put) = (user, isDelaying, now, put)
    }

    /// The number of uploads that the store accepted, by MD5.
    var stored: [String: Int] { state.withLock { $0.stored } }
    /// Those of them that arrived after their task was cancelled, and after the app could ask for them.
    var late: [String: Int] { state.withLock { $0.late } }
    var count: Int { state.withLock { $0.tasks.count } }
    var networks: [PermittedNetworks] { state.withLock { $0.networks } }

    func start(_ upload: BackgroundUpload) async throws(BackgroundTransferError) -> Int {
        state.withLock { state in
            state.lastID += 1
            state.tasks[state.lastID] = Task(upload: upload)
            state.networks.append(upload.networks)
            return state.lastID
        }
    }

    func running() async -> [BackgroundTask] {
        state.withLock { state in
            state.tasks.sorted { $0.key < $1.key }.map {
                BackgroundTask(id: $0, name: $1.upload.name, hasBegun: $1.hasBegun)
            }
        }
    }

    func cancel(_ tasks: Set<Int>) async {
        for id in tasks.sorted() {
            let arriving = state.withLock { state -> BackgroundUpload? in
                guard let task = state.tasks.removeValue(forKey: id), task.hasBegun, !task.isSending,
                    Bool.random(using: &state.random)
                else { return nil }
                guard isDelaying, Bool.random(using: &state.random) else { return task.upload }
                state.delayed.append(task.upload)
                return nil
            }
            if let arriving, await store(arriving) { record(stored: arriving) }
        }
    }

    /// An app receives the ends of tasks from now on; those of `nil` are kept or lost.
    func connect(_ inbox: BackgroundInbox?) {
        let kept = state.withLock { state in
            state.inbox = inbox
            defer { if inbox != nil { state.kept = [] } }
            return inbox == nil ? [] : state.kept
        }
        for end in kept { inbox?.post(end) }
    }

    /// Continues one task that no other step continues.
    /// - Parameter isReliable: Whether nothing fails.
    func step(isReliable: Bool = false) async {
        await deliverDelayed()
        let next = state.withLock { state -> (Int, Task, Int)? in
            let free = state.tasks.filter { !$0.value.isSending }.keys.sorted()
            guard let id = free.randomElement(using: &state.random), let task = state.tasks[id] else { return nil }
            if task.hasBegun {
                state.tasks[id]?.isSending = true
            } else if now() < task.upload.address.expiresAt {
                state.tasks[id]?.hasBegun = true
                return nil
            }
            return (id, task, isReliable ? 9 : Int.random(in: 0..<10, using: &state.random))
        }
        guard let (id, task, choice) = next else { return }
        if !task.hasBegun || choice < 2 { return end(id, isStored: false) }
        guard await store(task.upload) else { return end(id, isStored: false) }
        record(stored: task.upload)
        end(id, isStored: choice > 3)
    }

    private func deliverDelayed() async {
        let arriving = state.withLock { state in
            defer { state.delayed = [] }
            return state.delayed
        }
        for upload in arriving where await store(upload) {
            record(stored: upload)
            state.withLock { $0.late[String(upload.name.suffix(32)), default: 0] += 1 }
        }
    }

    private func record(stored upload: BackgroundUpload) {
        let md5 = String(upload.name.suffix(32))
        state.withLock { $0.stored[md5, default: 0] += 1 }
    }

    private func end(_ id: Int, isStored: Bool) {
        let post = state.withLock { state -> (BackgroundInbox, BackgroundTaskEnd)? in
            guard let task = state.tasks.removeValue(forKey: id) else { return nil }
            let end = BackgroundTaskEnd(
                BackgroundTask(id: id, name: task.upload.name, hasBegun: true), isStored: isStored)
            if let inbox = state.inbox { return (inbox, end) }
            if Bool.random(using: &state.random) { state.kept.append(end) }
            return nil
        }
        if let (inbox, end) = post { inbox.post(end) }
    }

    /// Sends the file like a client of the store, which checks MD5 and length.
    private func store(_ upload: BackgroundUpload) async -> Bool {
        guard let data = FileManager.default.contents(atPath: upload.file) else { return false }
        let (bytes, headers) = (ByteBuffer(bytes: data), upload.address.headers)
        guard headers["content-length"] == String(data.count),
            headers["content-md5"] == ContentDigest(of: bytes).base64,
            let key = ObjectKey(StorageLayout.photo(user, md5: String(upload.name.suffix(32)))),
            upload.address.url.contains("/\(key)?")
        else { return false }
        return await put(key, bytes)
    }
}

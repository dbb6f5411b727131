import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Secrets
import Synchronization
import Testing

@testable import PhotoCatalog
@testable import PhotoSync

@Suite("Photos in an archive tier") struct ArchivedPhotosTests {
    private static let prefix = "photos/\(UserID.bob)/"

    /// Backs up `count` photos of Bob and archives the first `archived` of them.
    private func library(
        _ count: Int, archived: Int, fault: @escaping FakeObjectStore.Fault = { _, _ in nil }
    ) async throws -> (BackupFixture, ArchivingObjectStore) {
        let fixture = try BackupFixture(fault: fault)
        for index in 0..<count { try fixture.folder.write("\(index).jpg", PhotoBytes.jpeg(index)) }
        _ = try await fixture.backUp()
        let store = ArchivingObjectStore(fixture.store)
        try await store.archive(below: Self.prefix, archived)
        return (fixture, store)
    }

    private func restore(
        _ store: any ObjectStore, to target: TemporaryFolder, asking order: RetrievalRequest? = nil,
        isDryRun: Bool = false
    ) async throws -> RestoreSummary {
        var settings = RestoreSettings()
        (settings.retrievalOrder, settings.isDryRun) = (order, isDryRun)
        settings.parallelFiles = 1
        return try await Restore(store: store, user: .bob, settings: settings, pause: .none)
            .run(into: target.path) { _ in }
    }

    private static let week = RetrievalRequest(speed: .bulk, days: 7)

    @Test("archived photos do not block the others and are not requested unless asked for")
    func others() async throws {
        let (fixture, store) = try await library(20, archived: 15)
        let target = try TemporaryFolder()
        let summary = try await restore(store, to: target)
        #expect(summary.ending == .completed && !summary.isComplete)
        #expect(summary.failures.count == 15 && summary.progress.restoredFiles == 5)
        #expect(summary.failures.allSatisfy { $0.failure == .archived(.notRequested) && !$0.failure.isDamage })
        #expect(try target.files().count == 5)
        #expect(store.acceptedRequests.isEmpty)
        #expect(fixture.store.count("read", "photos/") == 5)
    }

    @Test("archived photos do not count as consecutive store failures")
    func streak() async throws {
        let calls = Mutex(0)
        // Four of the readable files fail, each after three attempts.
        let (_, store) = try await library(16, archived: 8) { verb, key in
            guard verb == "read", key.hasPrefix("photos/") else { return nil }
            return calls.withLock { calls in
                calls += 1
                return calls > 3 * 4 ? nil : .unavailable("503")
            }
        }
        let summary = try await restore(store, to: try TemporaryFolder())
        #expect(summary.ending == .completed)
        #expect(summary.failures.count == 12 && summary.progress.restoredFiles == 4)
    }

    @Test("archived photos are requested once and restored by a later restore")
    func askedBack() async throws {
        let (_, store) = try await library(6, archived: 3)
        let target = try TemporaryFolder()
        let first = try await restore(store, to: target, asking: Self.week)
        #expect(
            first.failures.map(\.failure)
                == Array(repeating: .archived(.requested(within: .seconds(12 * 3600))), count: 3)
        )
        #expect(store.acceptedRequests == Array(repeating: Self.week, count: 3))
        let second = try await restore(store, to: target, asking: Self.week)
        #expect(second.failures.map(\.failure) == Array(repeating: .archived(.inProgress), count: 3))
        #expect(second.progress.alreadyThereFiles == 3)
        store.completeRestores()
        let third = try await restore(store, to: target, asking: Self.week)
        #expect(third.isComplete && third.progress.restoredFiles == 3)
        #expect(store.acceptedRequests.count == 3)
        #expect(try target.files().count == 6)
    }

    @Test("the result of a retrieval request is reported for its photo, and the others are restored")
    func answers() async throws {
        let (fixture, store) = try await library(3, archived: 1)
        let cases: [(Result<RetrievalOutcome, ObjectStoreError>, RestoreFailure)] = [
            (.success(.tierUnavailable), .archived(.tierUnavailable)), (.success(.available), .archived(.available)),
            (.failure(.denied("no")), .archived(.refused(.denied("no")))),
            (.failure(.unavailable("503")), .archived(.refused(.unavailable("503")))),
        ]
        for (response, failure) in cases {
            store.forcedOutcome.withLock { $0 = response }
            let summary = try await restore(store, to: try TemporaryFolder(), asking: Self.week)
            #expect(summary.failures.map(\.failure) == [failure] && summary.ending == .completed)
            #expect(summary.progress.restoredFiles == 2)
        }
        // A store that does not support retrieval requests.
        let plain = FakeObjectStore { verb, key in verb == "read" && key.hasPrefix("photos/") ? .archived : nil }
        for object in try await fixture.store.memory.list(prefix: "", after: nil, limit: 1000).objects {
            let bytes = try #require(try await fixture.store.memory.get(object.key, limit: 1 << 20)).bytes
            _ = try await plain.memory.put(object.key, bytes, if: .always)
        }
        let summary = try await restore(plain, to: try TemporaryFolder(), asking: Self.week)
        #expect(summary.failures.map(\.failure) == Array(repeating: .archived(.notRetrievable), count: 3))
    }

    @Test("a store that refuses retrieval is not asked for each remaining photo")
    func refused() async throws {
        let (_, store) = try await library(40, archived: 40)
        let refusal = ObjectStoreError.denied("AccessDenied (HTTP 403)")
        store.forcedOutcome.withLock { $0 = .failure(refusal) }
        let summary = try await restore(store, to: try TemporaryFolder(), asking: Self.week)
        #expect(summary.failures.count == 40)
        #expect(summary.failures.allSatisfy { $0.failure == .archived(.refused(refusal)) })
        #expect(store.requestCount.withLock { $0 } <= RestoreSettings().parallelFiles)
    }

    @Test("a dry run sends no retrieval requests")
    func dryRun() async throws {
        let (_, store) = try await library(3, archived: 3)
        let summary = try await restore(store, to: try TemporaryFolder(), asking: Self.week, isDryRun: true)
        #expect(summary.failures.isEmpty && store.acceptedRequests.isEmpty)
    }

    @Test("verification skips archived photos and does not count them as damage")
    func verification() async throws {
        let (fixture, store) = try await library(12, archived: 10)
        let last = try await fixture.store.memory.list(prefix: Self.prefix, after: nil, limit: 12).objects[11]
        try await fixture.store.memory.delete(last.key, if: .always)
        let verification = Verification(store: store, user: .bob, pause: .none, randomness: .seeded(5))
        let summary = try await verification.run(PhotoSelection(), sample: { $0 }) { _ in }
        #expect(summary.ending == .completed && summary.archived.count == 10 && summary.checkedFiles == 2)
        #expect(summary.failures.map(\.failure) == [.notStored])
        #expect(summary.progress.finishedFiles == 12 && summary.progress.failedFiles == 1)
    }

    @Test("a backup that reads back accepts archived photos of the right length and reports them")
    func backup() async throws {
        let (device, store) = try await library(5, archived: 3)
        var fixture = device
        fixture.settings.verifiesStoredBytes = true
        let objects = try await fixture.store.memory.list(prefix: Self.prefix, after: nil, limit: 5).objects
        _ = try await fixture.store.memory.put(objects[0].key, ByteBuffer(string: "short"), if: .always)
        fixture.store.clearLog()
        let backup = Backup(
            store: store, user: .bob, device: fixture.device, stateFolder: fixture.state.path,
            settings: fixture.settings,
            pause: .none, now: { SyncDevice.now })
        let summary = try await backup.run(folder: fixture.folder.path) { _ in }
        #expect(summary.isComplete && summary.archived.count == 2)
        #expect([summary.progress.uploadedFiles, summary.progress.alreadyStoredFiles].elementsEqual([1, 4]))
        #expect(fixture.store.log.filter { $0.hasPrefix("write photos/") } == ["write \(objects[0].key)"])
    }

    @Test("a sync restores the other photos, reports archived ones, and restores them once retrieved")
    func sync() async throws {
        let library = SyncLibrary()
        let store = ArchivingObjectStore(library.store)
        let (laptop, phone) = (try SyncDevice(1, store: store), try SyncDevice(2, store: store))
        for number in 0..<12 { try laptop.folder.write("\(number).jpg", PhotoBytes.jpeg(number)) }
        _ = try await laptop.sync()
        try await store.archive(below: Self.prefix, 9)
        let summary = try await phone.sync()
        #expect(summary.toFolder.progress.restoredFiles == 3)
        #expect(summary.toFolder.failures.count == 9)
        #expect(summary.toFolder.failures.allSatisfy { $0.failure == .archived(.notRequested) })
        #expect(summary.trashedEntries.isEmpty && summary.withheldEntries == 0)
        for object in try await library.store.list(prefix: Self.prefix, after: nil, limit: 20).objects {
            _ = try await store.restoreFromArchive(object.key, Self.week)
        }
        store.completeRestores()
        #expect(try await phone.sync().toFolder.progress.restoredFiles == 9)
        #expect(try phone.photos() == laptop.photos())
    }
}

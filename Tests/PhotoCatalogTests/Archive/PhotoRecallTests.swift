import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing

@testable import PhotoCatalog

@Suite struct PhotoRecallTests {
    private static let standard = RetrievalRequest(speed: .standard, days: 7)
    /// Seeds of four hex digits each, whose digests differ.
    private static let firstSeed = 0x1000

    /// Commits photos to Bob's library and archives the first of them.
    private func library(
        _ count: Int, archived: Int, _ kind: ArchiveKind = .deep
    ) async throws -> (store: ArchivingObjectStore, log: FakeObjectStore) {
        let log = FakeObjectStore()
        let store = ArchivingObjectStore(log, kind)
        var changes: [CatalogChange] = []
        for number in 1...count {
            let md5 = try ContentDigest.seeded(Self.firstSeed + number)
            let key = ObjectKey(known: StorageLayout.photo(.bob, md5: md5.description))
            try await log.put(key, ByteBuffer(string: "photo"), if: .always)
            changes.append(try .photo("\(number).jpg", seed: Self.firstSeed + number))
        }
        let catalogs = CatalogStore(store: log, user: .bob, pause: .none)
        _ = try await catalogs.commit(changes, onto: try await catalogs.load())
        try await store.archive(below: StorageLayout.photos(.bob), archived)
        log.clearLog()
        return (store, log)
    }

    private func recall(
        _ store: any ObjectStore, _ request: RetrievalRequest?, _ selection: PhotoSelection = PhotoSelection(),
        report: (RecallProgress) -> Void = { _ in }
    ) async throws -> RecallSummary {
        let recall = PhotoRecall(CatalogStore(store: store, user: .bob, pause: .none))
        return try await recall.run(try await recall.plan(selection), request, report: report)
    }

    private func photos(_ numbers: ClosedRange<Int>) -> PhotoSelection {
        var selection = PhotoSelection()
        selection.paths = numbers.map { "\($0).jpg" }
        return selection
    }

    @Test("an estimate counts archived photos and requests nothing")
    func estimate() async throws {
        let (store, _) = try await library(30, archived: 20)
        var progress: [RecallProgress] = []
        let summary = try await recall(store, nil) { progress.append($0) }
        #expect(summary.wantedFiles == 30 && summary.readableFiles == 10 && summary.estimate.objects == 20)
        #expect(summary.requestedFiles == 0 && summary.ending == .completed && summary.failures.isEmpty)
        #expect(summary.estimate.options(days: 7).map(\.speed) == [.bulk, .standard])
        #expect(store.requestCount.withLock { $0 } == 0)
        #expect(progress.first?.finishedFiles == 0 && progress.last?.finishedFiles == 30)
        #expect(progress.last?.finishedBytes == progress.last?.totalBytes)
    }

    @Test("a large selection is listed, and only photos that may be archived are requested")
    func listed() async throws {
        let (store, log) = try await library(30, archived: 20)
        let summary = try await recall(store, Self.standard)
        #expect(summary.requestedFiles == 20 && summary.readableFiles == 10 && summary.longest == .seconds(12 * 3600))
        #expect(store.acceptedRequests == Array(repeating: Self.standard, count: 20))
        #expect(store.stateRequests.withLock { $0.isEmpty })
        #expect(log.count("list", "photos/") == 1 && log.count("read", "photos/") + log.count("get", "photos/") == 0)
    }

    @Test("of a few photos each state is requested, without a listing")
    func few() async throws {
        let (store, log) = try await library(30, archived: 30)
        let summary = try await recall(store, Self.standard, photos(1...12))
        #expect(summary.requestedFiles == 12 && store.acceptedRequests.count == 12)
        #expect(store.stateRequests.withLock { $0.count } == 12 && log.count("list", "photos/") == 0)
        let listed = try await recall(store, nil, photos(1...13))
        #expect(listed.inProgressFiles == 12 && listed.estimate.objects == 1 && log.count("list", "photos/") == 1)
    }

    @Test("another recall counts photos that are on their way and requests none twice")
    func again() async throws {
        let (store, _) = try await library(30, archived: 20)
        _ = try await recall(store, Self.standard, photos(1...5))
        let second = try await recall(store, Self.standard)
        #expect(second.requestedFiles == 15 && second.inProgressFiles == 5)
        let estimate = try await recall(store, nil)
        #expect(estimate.inProgressFiles == 20 && estimate.estimate.objects == 0)
        store.completeRestores()
        let last = try await recall(store, Self.standard)
        #expect(last.readableFiles == 30 && last.requestedFiles == 0 && last.longest == nil)
        #expect(store.acceptedRequests.count == 20)
    }

    @Test("a speed that the archive lacks and missing contents are failures of their photos")
    func failures() async throws {
        let (store, log) = try await library(30, archived: 2)
        let missing = try ContentDigest.seeded(Self.firstSeed + 30)
        try await log.delete(ObjectKey(known: StorageLayout.photo(.bob, md5: missing.description)), if: .always)
        for selection in [PhotoSelection(), photos(1...2)] {
            let summary = try await recall(store, RetrievalRequest(speed: .expedited, days: 1), selection)
            #expect(summary.failures.count { $0.failure == .tierUnavailable } == 2)
            #expect(summary.failures.count { $0.failure == .notStored } == (selection.isEverything ? 1 : 0))
            #expect(summary.ending == .completed && summary.requestedFiles == 0)
        }
        #expect(try await recall(store, nil, photos(30...30)).failures.map(\.failure) == [.notStored])
    }

    @Test("a refusal stops the recall, and so do several photos in a row without a response")
    func stops() async throws {
        let (store, _) = try await library(200, archived: 200)
        let refusal = ObjectStoreError.denied("AccessDenied (HTTP 403)")
        store.forcedOutcome.withLock { $0 = .failure(refusal) }
        let refused = try await recall(store, Self.standard)
        #expect(refused.ending == .stopped(refusal) && store.requestCount.withLock { $0 } <= 16)
        store.forcedOutcome.withLock { $0 = .failure(.unavailable("503")) }
        let silent = try await recall(store, Self.standard)
        #expect(silent.ending == .stopped(.unavailable("503")) && store.requestCount.withLock { $0 } <= 16 + 8 + 16)
    }

    @Test("each content is requested once, and a store without archives has only readable photos")
    func others() async throws {
        let (store, log) = try await library(3, archived: 3)
        let catalogs = CatalogStore(store: log, user: .bob, pause: .none)
        _ = try await catalogs.commit(
            [try .photo("copy.jpg", seed: Self.firstSeed + 1)], onto: try await catalogs.load())
        #expect(try await recall(store, Self.standard).requestedFiles == 3)
        let plain = try await recall(log, Self.standard)
        #expect(plain.readableFiles == 3 && plain.requestedFiles == 0)
        #expect(log.count("list", "photos/") == 0)
        await #expect(throws: SelectionError.unknownPaths(["4.jpg"])) {
            try await recall(store, Self.standard, photos(4...4))
        }
    }
}

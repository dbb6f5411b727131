import Foundation
import NIOCore
import ObjectStorage
import Secrets
import Synchronization
import Testing

@testable import DirectoryStorage

/// What an erasure leaves of an account in the record of the scrub.
@Suite struct ScrubErasureTests {
    private static let key = ObjectKey(known: "service/scrub.json")
    private static let retry = RetryPolicy(backoff: Backoff(randomness: .system) { _ in })
    private static let moment = Date(timeIntervalSince1970: 1_000_000)
    /// The prefixes of the account that is erased.
    private static let prefixes = ["photos/b/", "thumbnails/b/"]

    /// Runs a test with a store that contains two photos of each of three users, and one thumbnail.
    private func withPhotos(_ body: (DirectoryFixture, DirectoryObjectStore) async throws -> Void) async throws {
        try await DirectoryFixture.with { fixture in
            try await fixture.withStore { store in
                for name in ["a/1", "a/2", "b/1", "b/2", "c/1", "c/2"] {
                    let bytes = ByteBuffer(string: String(repeating: "photo \(name) ", count: 1000))
                    try await store.put(ObjectKey(known: "photos/\(name).dat"), bytes, if: .absent)
                }
                try await store.put(ObjectKey(known: "thumbnails/b/1.jpg"), ByteBuffer(string: "small"), if: .absent)
                try await body(fixture, store)
            }
        }
    }

    private func documents(_ store: DirectoryObjectStore) -> Documents<ScrubRecord> {
        Documents(store: store, retry: Self.retry)
    }

    private func erase(_ store: DirectoryObjectStore) async throws {
        for prefix in Self.prefixes { try await ListedErasure(store).erase(below: prefix, except: []) }
        try await ScrubErasure(store, record: Self.key, retry: Self.retry).eraseDeletedData(below: Self.prefixes)
    }

    private func job(_ store: DirectoryObjectStore) -> ScrubJob {
        ScrubJob(
            store, record: Self.key, retry: Self.retry, every: 1000, now: { Self.moment },
            logger: DirectoryFixture.logger)
    }

    /// Checks objects until one has this key, and stores the record.
    private func scrub(_ store: DirectoryObjectStore, to last: String) async throws {
        var record = ScrubRecord(startedAt: Self.moment)
        while record.position != last {
            try await StoreScrub(store, pace: { _ in }, report: { _ in }).advance(&record, now: { Self.moment }) {
                true
            }
        }
        _ = try await documents(store).create(Self.key, record)
    }

    @Test(
        "a scrub that stopped in the erased account continues with the next object, and no file of the folder names it",
        arguments: ["photos/b/1.dat", "photos/b/2.dat"])
    func position(_ last: String) async throws {
        try await withPhotos { fixture, store in
            try await scrub(store, to: last)
            try await erase(store)
            let record = try #require(try await documents(store).load(Self.key)?.value)
            #expect(record.position == "photos/c/1.da")
            for name in try FileManager.default.subpathsOfDirectory(atPath: fixture.folder) {
                let bytes = FileManager.default.contents(atPath: fixture.path(name)) ?? Data()
                #expect(bytes.range(of: Data("photos/b/".utf8)) == nil, "\(name)")
            }
            let finished = try #require(try await job(store).run(for: 1000, rate: 0) { _ in })
            #expect(finished.finishedAt != nil && finished.files == record.files + 2 && finished.position == nil)
        }
    }

    @Test("a scrub that stopped in the last account ends after its erasure")
    func lastPosition() async throws {
        try await withPhotos { _, store in
            try await scrub(store, to: "thumbnails/b/1.jpg")
            try await erase(store)
            #expect(try await documents(store).load(Self.key)?.value.position == "thumbnails0")
            #expect(try await job(store).run(for: 1000, rate: 0) { _ in }?.finishedAt != nil)
        }
    }

    @Test("the position in another account stays, and so do its findings; those of the erased account are removed")
    func findings() async throws {
        try await withPhotos { fixture, store in
            for name in ["a/1", "b/1", "b/2"] {
                try FileManager.default.removeItem(atPath: fixture.path("photos/\(name).dat"))
            }
            try await scrub(store, to: "photos/c/1.dat")
            #expect(try await documents(store).load(Self.key)?.value.findingCount == 3)
            try await erase(store)
            let record = try #require(try await documents(store).load(Self.key)?.value)
            #expect(record.position == "photos/c/1.dat")
            #expect(record.findings == ["photos/a/1.dat: missing or damaged"] && record.findingCount == 1)
        }
    }

    @Test(
        "a running scrub that read an object before its erasure does not write the position afterwards",
        arguments: 1...6)
    func race(_ number: Int) async throws {
        try await withPhotos { _, store in
            let calls = Mutex(0)
            let clock = Mutex(Self.moment)
            let job = ScrubJob(
                store, record: Self.key, retry: Self.retry, every: 1000, now: { clock.withLock { $0 } },
                logger: DirectoryFixture.logger)
            // The erasure happens while an object is read, and the slice ends after this object.
            let record = try #require(
                try await job.run(for: 100, rate: 1_000_000) { _ in
                    let call = calls.withLock {
                        $0 += 1
                        return $0
                    }
                    guard call == number else { return }
                    try await erase(store)
                    clock.withLock { $0 += 200 }
                })
            let stored = try #require(try await documents(store).load(Self.key)?.value)
            #expect(stored == record && stored.finishedAt == nil && stored.erasures == 1)
            #expect(stored.position == nil && stored.files == 0, "continues from the record of the erasure")
            #expect(try await job.run(for: 100, rate: 0) { _ in }?.files == 4)
        }
    }

    @Test("a scrub that is stopped after the erasure of the account leaves the erasure's record")
    func stopped() async throws {
        try await withPhotos { _, store in
            let calls = Mutex(0)
            await #expect(throws: CancellationError.self) {
                try await job(store).run(for: 1000, rate: 1_000_000) { _ in
                    let call = calls.withLock {
                        $0 += 1
                        return $0
                    }
                    // The second photo of the account is read; its first one is the position.
                    guard call == 4 else { return }
                    try await erase(store)
                    throw CancellationError()
                }
            }
            let stored = try #require(try await documents(store).load(Self.key)?.value)
            #expect(stored.position == nil && stored.erasures == 1)
        }
    }

    @Test("a command's pass does not name its findings if an account was erased during it")
    func command() async throws {
        try await withPhotos { fixture, store in
            try FileManager.default.removeItem(atPath: fixture.path("photos/b/1.dat"))
            let result = ScrubResult(store, record: Self.key, retry: Self.retry)
            for isErased in [false, true] {
                var pass = ScrubRecord(startedAt: Self.moment)
                let initial = try await result.begin(pass)
                pass.add("photos/b/1.dat: missing or damaged")
                if isErased { try await erase(store) }
                try await result.save(pass, since: initial)
                let stored = try #require(try await documents(store).load(Self.key)?.value)
                #expect(stored.findings == (isErased ? [] : pass.findings) && stored.findingCount == 1)
            }
        }
    }

    @Test("an unreadable record is deleted, because it may name the account")
    func unreadable() async throws {
        try await withPhotos { _, store in
            try await store.put(Self.key, ByteBuffer(string: "photos/b/1.dat"), if: .always)
            try await erase(store)
            #expect(try await store.head(Self.key) == nil)
        }
    }
}

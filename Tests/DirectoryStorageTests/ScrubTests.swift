import Foundation
import NIOCore
import ObjectStorage
import Secrets
import Synchronization
import Testing

@testable import DirectoryStorage

/// Reads all data and compares it with what was acknowledged.
@Suite struct ScrubTests {
    private let record = ObjectKey(known: "service/scrub.json")

    private final class Clock: Sendable {
        private let state = Mutex(Date(timeIntervalSince1970: 1_000_000))
        var now: Date { state.withLock { $0 } }
        func advance(by seconds: TimeInterval) { state.withLock { $0 += seconds } }
    }

    /// Runs a test with a store that contains photos and a profile.
    private func withPhotos(_ body: (DirectoryFixture, DirectoryObjectStore) async throws -> Void) async throws {
        try await DirectoryFixture.with { fixture in
            try await fixture.withStore { store in
                for number in 0..<7 {
                    let bytes = ByteBuffer(string: String(repeating: "photo \(number) ", count: 1000))
                    try await store.put(ObjectKey(known: "photos/u/\(number).dat"), bytes, if: .absent)
                }
                try await store.put(ObjectKey(known: "users/u/profile.json"), ByteBuffer(string: "{}"), if: .absent)
                try await body(fixture, store)
            }
        }
    }

    /// Flips a bit of a file and restores its date.
    private func flipBit(_ fixture: DirectoryFixture, _ name: String) throws {
        let attributes = try FileManager.default.attributesOfItem(atPath: fixture.path(name))
        var facts = stat()
        try #require(stat(fixture.path(name), &facts) == 0)
        try fixture.flip(name, at: 5000)
        #if canImport(Darwin)
            var times = [facts.st_atimespec, facts.st_mtimespec]
        #else
            var times = [facts.st_atim, facts.st_mtim]
        #endif
        try #require(utimensat(AT_FDCWD, fixture.path(name), &times, 0) == 0)
        #expect(
            try FileManager.default.attributesOfItem(atPath: fixture.path(name))[.size] as? Int == attributes[.size]
                as? Int)
    }

    private func pass(_ store: DirectoryObjectStore) async throws -> (ScrubRecord, [String]) {
        let found = Mutex<[String]>([])
        let scrub = StoreScrub(store, pace: { _ in }, report: { text in found.withLock { $0.append(text) } })
        var record = ScrubRecord(startedAt: Date(timeIntervalSince1970: 0))
        try await scrub.advance(&record, now: { Date(timeIntervalSince1970: 1) }) { false }
        return (record, found.withLock { $0 })
    }

    @Test("a scrub of an intact store reads every file and has no findings")
    func whole() async throws {
        try await withPhotos { _, store in
            let (record, found) = try await pass(store)
            #expect(record.files == 7 && record.bytes == 56_000 && record.finishedAt != nil)
            #expect(found.isEmpty && !record.hasFindings && !store.status().isDamaged)
        }
    }

    @Test("a scrub finds a flipped bit in a file of unchanged size and date, and a missing file")
    func rotten() async throws {
        try await withPhotos { fixture, store in
            try flipBit(fixture, "photos/u/3.dat")
            try FileManager.default.removeItem(atPath: fixture.path("photos/u/5.dat"))
            let (record, found) = try await pass(store)
            #expect(found == ["photos/u/3.dat", "photos/u/5.dat"].map { "\($0): missing or damaged" })
            #expect(record.findings == found && record.findingCount == 2 && record.files == 5)
            #expect(store.status().isDamaged)
            // Storing the objects again repairs them, and the next pass has no findings.
            for number in [3, 5] {
                let key = ObjectKey(known: "photos/u/\(number).dat")
                try await store.put(key, ByteBuffer(string: "again"), if: .always)
            }
            #expect(try await pass(store).1.isEmpty)
            #expect(!store.status().isDamaged)
        }
    }

    @Test("a scrub finds damage in a database")
    func damagedDatabase() async throws {
        try await DirectoryFixture.with { fixture in
            try await fixture.withStore { store in
                for number in 0..<60 {
                    try await store.put(
                        ObjectKey(known: "accounts/\(number)"), ByteBuffer(repeating: 1, count: 400), if: .absent)
                }
            }
            try fixture.flip("photolala.sqlite", at: 6 * 2048 + 300)
            try await fixture.withStore { store in
                let (record, found) = try await pass(store)
                #expect(record.findingCount > 0)
                #expect(found.first?.contains("photolala.sqlite") == true)
            }
        }
    }

    @Test("the job works in slices, resumes after another process, and restarts when a pass is due")
    func slices() async throws {
        try await withPhotos { fixture, store in
            let clock = Clock()
            func job(_ store: DirectoryObjectStore) -> ScrubJob {
                ScrubJob(
                    store, record: record, retry: RetryPolicy(backoff: Backoff(randomness: .system) { _ in }),
                    every: 1000, now: { clock.now },
                    logger: DirectoryFixture.logger)
            }
            // Reading a file takes 100 seconds at this rate.
            let pause: @Sendable (Duration) async throws -> Void = {
                clock.advance(by: Double($0.components.seconds) + Double($0.components.attoseconds) / 1e18)
            }
            let first = try await job(store).run(for: 250, rate: 80, pause: pause)
            #expect(first?.files == 3 && first?.finishedAt == nil && first?.position == "photos/u/2.dat")
            try flipBit(fixture, "photos/u/4.dat")
            try await fixture.withStore { other in
                let second = try await job(other).run(for: 10_000, rate: 80, pause: pause)
                #expect(second?.files == 6 && second?.findingCount == 1 && second?.finishedAt != nil)
            }
            #expect(!store.status().isDamaged)
            try await job(store).readFindings()
            #expect(store.status().isDamaged, "the findings of another process")
            #expect(try await job(store).run(for: 250, rate: 80, pause: pause) == nil, "no pass is due")
            clock.advance(by: 1000)
            let third = try await job(store).run(for: 10, rate: 80, pause: pause)
            #expect(third?.findingCountBefore == 1 && third?.files == 1)
        }
    }

    @Test("a stopped job stores its position")
    func stopped() async throws {
        try await withPhotos { _, store in
            let job = ScrubJob(
                store, record: record, retry: RetryPolicy(backoff: Backoff(randomness: .system) { _ in }), every: 1000,
                now: { Date(timeIntervalSince1970: 0) }, logger: DirectoryFixture.logger)
            let count = Mutex(0)
            await #expect(throws: CancellationError.self) {
                try await job.run(for: 10_000, rate: 1) { _ in
                    let isLast = count.withLock {
                        $0 += 1
                        return $0 == 3
                    }
                    if isLast { throw CancellationError() }
                }
            }
            let documents = Documents<ScrubRecord>(
                store: store, retry: RetryPolicy(backoff: Backoff(randomness: .system) { _ in }))
            let place = try await documents.load(record)?.value.position
            #expect(place == "photos/u/1.dat")
        }
    }

    @Test("a missing mark is a finding, and an opening without upgrade does not create it", arguments: [true, false])
    func missingMark(isReadOnly: Bool) async throws {
        try await DirectoryFixture.with { fixture in
            try await fixture.withStore { _ = try await $0.put(record, ByteBuffer(), if: .absent) }
            let mark = "\(DatabaseKind.accounts.fileName).mark"
            try FileManager.default.removeItem(atPath: fixture.path(mark))
            let store =
                isReadOnly
                ? try await fixture.openForReading()
                : try await DirectoryObjectStore.open(
                    at: URL(fileURLWithPath: fixture.folder), now: { Date(timeIntervalSince1970: 1) },
                    randomness: .system, logger: DirectoryFixture.logger, reserve: StorageReserve(bytes: 0),
                    mayUpgrade: false)
            var findings = ScrubRecord(startedAt: Date(timeIntervalSince1970: 1))
            let scrub = StoreScrub(store, pace: { _ in }, report: { _ in })
            try await scrub.advance(&findings, now: { Date(timeIntervalSince1970: 1) }) { false }
            #expect(findings.findings == ["\(fixture.path(mark)): missing: lost commits cannot be detected"])
            if !isReadOnly { try await store.put(ObjectKey(known: "accounts/1"), ByteBuffer(), if: .absent) }
            try await store.close()
            #expect(!fixture.exists(mark))
            try await fixture.withStore { try await expect($0.databaseFindings(isDeep: true), is: []) }
        }
    }
}

import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Synchronization
import Testing

@testable import PhotoCatalog
@testable import PhotoSync

/// The concurrency and the memory use of a backup.
struct BackupMemoryTests {
    @Test("memory for held files stays within the budget for any number of files")
    func bounded() async throws {
        let held = Mutex((now: 0, most: 0))
        let size = 100_000
        var fixture = try BackupFixture { verb, key in
            guard verb == "write", key.hasPrefix("photos/") else { return nil }
            held.withLock {
                $0.now += 1
                $0.most = max($0.most, $0.now)
            }
            for _ in 0..<20 { await Task.yield() }
            held.withLock { $0.now -= 1 }
            return nil
        }
        fixture.settings.bufferedBytes = 3 * size + 10_000
        for index in 0..<40 { try fixture.folder.write("\(index).jpg", PhotoBytes.jpeg(index, length: size)) }
        let summary = try await fixture.backUp()
        #expect(summary.progress.uploadedFiles == 40)
        #expect(held.withLock { $0.most } <= 3)
    }

    /// Counts concurrent store calls; each call blocks until `wanted` calls have run at the same time.
    private final class ConcurrencyGauge: Sendable {
        private let count = Mutex((now: 0, most: 0))
        private let wanted: Int
        private let reached = Gate()

        init(_ wanted: Int) { self.wanted = wanted }

        var most: Int { count.withLock { $0.most } }

        func call() async {
            count.withLock {
                $0.now += 1
                $0.most = max($0.most, $0.now)
            }
            if most >= wanted { reached.open() }
            await reached.wait()
            count.withLock { $0.now -= 1 }
        }
    }

    @Test("files too large to be held are uploaded concurrently", .timeLimit(.minutes(15)))
    func largeTogether() async throws {
        let crowd = ConcurrencyGauge(3)
        let fixture = try BackupFixture { verb, key in
            if verb == "write", key.hasPrefix("photos/") { await crowd.call() }
            return nil
        }
        for index in 0..<4 {
            let video = PhotoBytes.jpeg(index) + [UInt8](repeating: UInt8(index), count: 9 << 20)
            try fixture.folder.write("\(index).jpg", video)
        }
        #expect(try await fixture.backUp().progress.uploadedFiles == 4)
        #expect(crowd.most >= 3)
    }

    @Test("contents are checked concurrently regardless of their size", .timeLimit(.minutes(15)))
    func askedTogether() async throws {
        let crowd = ConcurrencyGauge(3)
        var fixture = try BackupFixture { verb, key in
            if verb == "head", key.hasPrefix("photos/") { await crowd.call() }
            return nil
        }
        // No file fits the memory limits.
        (fixture.settings.bufferedBytes, fixture.settings.streamedBytes) = (1000, 1000)
        for index in 0..<12 { try fixture.folder.write("\(index).jpg", PhotoBytes.jpeg(index, length: 5000)) }
        #expect(try await fixture.backUp().progress.uploadedFiles == 12)
        #expect(try await fixture.backUp(onDay: 1).progress.alreadyStoredFiles == 12)
        #expect(fixture.store.count("head", "photos/") == 12)
        #expect(crowd.most >= 3)
    }

    @Test("held files are uploaded while larger files are in progress", .timeLimit(.minutes(15)))
    func besideLarge() async throws {
        let small = Mutex((sent: 0, whenLargeEnded: [Int]()))
        let allSmallSent = Gate()
        let large = (0..<3).map { PhotoBytes.jpeg($0, length: 5000) }
        let keys = large.map { StorageLayout.photo(.bob, md5: ContentDigest(of: ByteBuffer(bytes: $0)).description) }
        var fixture = try BackupFixture { verb, key in
            guard verb == "write", key.hasPrefix("photos/") else { return nil }
            if keys.contains(key) {
                await allSmallSent.wait()
                small.withLock { $0.whenLargeEnded.append($0.sent) }
            } else if small.withLock({
                $0.sent += 1
                return $0.sent == 10
            }) {
                allSmallSent.open()
            }
            return nil
        }
        // Memory for one of them.
        (fixture.settings.bufferedFileLimit, fixture.settings.streamedBytes) = (1000, 12_000)
        for (index, bytes) in large.enumerated() { try fixture.folder.write("\(index).jpg", bytes) }
        for index in 10..<20 { try fixture.folder.write("\(index).jpg", PhotoBytes.jpeg(index)) }
        #expect(try await fixture.backUp().progress.uploadedFiles == 13)
        #expect(small.withLock { $0.whenLargeEnded } == [10, 10, 10])
    }

    @Test("files in reused buffers are stored unchanged, even after store failures")
    func memoryOfOthers() async throws {
        let begun = Mutex<Set<String>>([])
        var fixture = try BackupFixture { verb, key in
            guard verb == "write", key.hasPrefix("photos/") else { return nil }
            for _ in 0..<5 { await Task.yield() }
            // The first attempt of every fourth file fails.
            return begun.withLock { begun in
                begun.insert(key).inserted && begun.count.isMultiple(of: 4) ? .unavailable("busy") : nil
            }
        }
        (fixture.settings.bufferedBytes, fixture.settings.spareBytes) = (4 << 20, 1 << 20)
        var keys: [ObjectKey: [UInt8]] = [:]
        for index in 0..<24 {
            let bytes = PhotoBytes.jpeg(index, length: 400_000 + index * 7 % 10 * 100_000)
            try fixture.folder.write("\(index).jpg", bytes)
            let md5 = ContentDigest(of: ByteBuffer(bytes: bytes)).description
            keys[ObjectKey(known: StorageLayout.photo(.bob, md5: md5))] = bytes
        }
        #expect(try await fixture.backUp().progress.uploadedFiles == 24)
        for (key, bytes) in keys {
            #expect(try await fixture.store.get(key, limit: 2 << 20)?.bytes == ByteBuffer(bytes: bytes))
        }
    }
}

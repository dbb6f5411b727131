import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Secrets
import Synchronization
import Testing

@testable import PhotoCatalog
@testable import PhotoSync

struct VerificationTests {
    private func verify(
        _ fixture: BackupFixture, _ selection: PhotoSelection = PhotoSelection(), sample: (Int) -> Int = { $0 },
        report: @escaping @Sendable (VerificationEvent) -> Void = { _ in }
    ) async throws -> VerificationSummary {
        let verification = Verification(store: fixture.store, user: .bob, pause: .none, randomness: .seeded(5))
        return try await verification.run(selection, sample: sample, report: report)
    }

    private func backedUp(_ count: Int, fault: @escaping FakeObjectStore.Fault = { _, _ in nil }) async throws
        -> BackupFixture
    {
        let fixture = try BackupFixture(fault: fault)
        for index in 0..<count { try fixture.folder.write("\(index).jpg", PhotoBytes.jpeg(index)) }
        _ = try await fixture.backUp()
        return fixture
    }

    @Test("intact photos are read once each, and nothing is written")
    func whole() async throws {
        let fixture = try await backedUp(20)
        try fixture.folder.write("copy.jpg", PhotoBytes.jpeg(3))
        _ = try await fixture.backUp()
        fixture.store.clearLog()
        let last = Mutex(ReadingProgress(totalFiles: 0, totalBytes: 0))
        let summary = try await verify(
            fixture,
            report: { event in
                guard case .finished(_, let progress) = event, progress.finishedFiles == 20 else { return }
                last.withLock { $0 = progress }
            })
        #expect(summary.failures.isEmpty && summary.ending == .completed)
        #expect([summary.contents, summary.progress.finishedFiles].elementsEqual([20, 20]))
        let progress = last.withLock { $0 }
        #expect(progress.finishedBytes == progress.totalBytes && progress.totalBytes > 0)
        #expect(fixture.store.count("read", "photos/") == 20)
        #expect(fixture.store.log.allSatisfy { $0.hasPrefix("read ") || $0.hasPrefix("get ") })
    }

    @Test("missing or changed contents are reported, and the others are checked")
    func damaged() async throws {
        let fixture = try await backedUp(12)
        let objects = try await fixture.store.memory.list(prefix: "photos/", after: nil, limit: 20).objects
        let size = Int(objects[1].size)
        try await fixture.store.memory.delete(objects[0].key, if: .always)
        try await fixture.store.put(objects[1].key, ByteBuffer(repeating: 1, count: size), if: .always)
        try await fixture.store.put(objects[2].key, ByteBuffer(repeating: 1, count: size + 1), if: .always)
        let summary = try await verify(fixture)
        #expect(summary.ending == .completed)
        #expect(summary.progress.finishedFiles == 12)
        #expect(summary.failures.count { $0.failure == .contentMismatch } == 2)
        #expect(summary.failures.count { $0.failure == .notStored } == 1)
        #expect(summary.progress.failedFiles == 3)
    }

    @Test("a transient fault is retried, and an unavailable store stops the verification")
    func faults() async throws {
        let faults = Mutex(0)
        let fixture = try await backedUp(12) { verb, key in
            guard verb == "read", key.hasPrefix("photos/") else { return nil }
            return faults.withLock { count in
                count -= 1
                return count >= 0 ? .unavailable("503") : nil
            }
        }
        faults.withLock { $0 = 2 }
        #expect(try await verify(fixture).failures.isEmpty)
        faults.withLock { $0 = .max }
        guard case .stopped(.storeUnavailable) = try await verify(fixture).ending else {
            Issue.record("the verification did not stop")
            return
        }
    }

    @Test("a sample has the requested size and only selected photos")
    func sample() async throws {
        let fixture = try await backedUp(30)
        fixture.store.clearLog()
        var selection = PhotoSelection()
        selection.name = NamePattern("1?.jpg")
        let summary = try await verify(fixture, selection, sample: { $0 == 10 ? 4 : 0 })
        #expect([summary.contents, summary.progress.finishedFiles].elementsEqual([10, 4]))
        #expect(fixture.store.count("read", "photos/") == 4)
        #expect(try await verify(fixture, selection, sample: { _ in 1000 }).progress.finishedFiles == 10)
        #expect(try await verify(fixture, selection, sample: { _ in -1 }).progress.finishedFiles == 0)
    }

    @Test("samples have no duplicates and are uniform")
    func evenly() {
        let randomness = Randomness.seeded(11)
        var drawn = Array(repeating: 0, count: 20)
        for _ in 0..<4000 {
            let sample = randomness.sample(5, of: 20)
            #expect(Set(sample).count == 5 && sample == sample.sorted())
            for number in sample { drawn[number] += 1 }
        }
        // 1,000 times each on average, with a standard deviation of 27.
        #expect(drawn.allSatisfy { (850...1150).contains($0) }, "\(drawn)")
        #expect(randomness.sample(7, of: 7) == Array(0..<7))
        #expect(randomness.sample(0, of: 7).isEmpty)
    }
}

import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Synchronization
import Testing

@testable import PhotoCatalog
@testable import PhotoSync

@Suite("Lost or damaged contents are uploaded again") struct StoredContentsTests {
    private func key(_ seed: Int) -> ObjectKey {
        let md5 = ContentDigest(of: ByteBuffer(bytes: PhotoBytes.jpeg(seed)))
        return ObjectKey(known: StorageLayout.photo(.bob, md5: md5.description))
    }

    private func backedUp(
        _ count: Int, fault: @escaping FakeObjectStore.Fault = { _, _ in nil }
    ) async throws -> BackupFixture {
        let fixture = try BackupFixture(fault: fault)
        for index in 0..<count { try fixture.folder.write("\(index).jpg", PhotoBytes.jpeg(index)) }
        _ = try await fixture.backUp()
        fixture.store.clearLog()
        return fixture
    }

    @Test("only a photo that the store reports as damaged is uploaded again")
    func damaged() async throws {
        let isDamaged = Mutex(false)
        let bad = key(2).description
        let fixture = try await backedUp(5) { verb, key in
            guard key == bad else { return nil }
            if verb == "write" { isDamaged.withLock { $0 = false } }
            return verb == "head" && isDamaged.withLock { $0 } ? .corrupted("ObjectDamaged") : nil
        }
        isDamaged.withLock { $0 = true }
        let summary = try await fixture.backUp()
        #expect(summary.isComplete)
        #expect([summary.progress.uploadedFiles, summary.progress.alreadyStoredFiles].elementsEqual([1, 4]))
        #expect(fixture.store.log.filter { $0.hasPrefix("write ") } == ["write \(bad)"])
        #expect(try await fixture.backUp().progress.uploadedFiles == 0)
    }

    @Test("other bytes under a photo's key are replaced regardless of their length")
    func otherBytes() async throws {
        let fixture = try await backedUp(5)
        let length = PhotoBytes.jpeg(1).count
        try await fixture.store.put(key(1), ByteBuffer(repeating: 1, count: length), if: .always)
        try await fixture.store.put(key(2), ByteBuffer(repeating: 1, count: length + 1), if: .always)
        #expect(try await fixture.backUp().progress.uploadedFiles == 2)
        for seed in 1...2 {
            #expect(try await fixture.stored(PhotoBytes.jpeg(seed))?.bytes == ByteBuffer(bytes: PhotoBytes.jpeg(seed)))
        }
    }

    @Test("each content is checked on its day, about as many per day as configured")
    func rounds() async throws {
        var fixture = try await backedUp(40)
        fixture.settings.checkedContents = 10
        var asked: [String] = []
        for day in 100..<104 {
            _ = try await fixture.backUp(onDay: day)
            let today = fixture.store.log.filter { $0.hasPrefix("head photos/") }
            #expect((1...25).contains(today.count))
            asked += today
            fixture.store.clearLog()
        }
        #expect(asked.count == 40)
        #expect(Set(asked).count == 40)
    }

    @Test("a new device whose folder is in a large catalog checks only its share")
    func newDevice() async throws {
        let first = try await backedUp(1500)
        var second = try BackupFixture(like: first, state: TemporaryFolder())
        second.settings.checkedContents = 100
        _ = try await second.backUp()
        let asked = second.store.count("head", "photos/")
        #expect((60...140).contains(asked), "\(asked)")
        // The journal now contains the folder.
        second.store.clearLog()
        _ = try await second.backUp(onDay: 1)
        #expect((60...140).contains(second.store.count("head", "photos/")))
    }

    @Test("silently damaged bytes are found by reading back, and nothing else is uploaded")
    func readsBack() async throws {
        var fixture = try await backedUp(5)
        let bad = key(3).description
        fixture.store.corruptedKey.withLock { $0 = bad }
        #expect(try await fixture.backUp().progress.uploadedFiles == 0)
        fixture.settings.verifiesStoredBytes = true
        fixture.store.clearLog()
        let summary = try await fixture.backUp()
        #expect([summary.progress.uploadedFiles, summary.progress.alreadyStoredFiles].elementsEqual([1, 4]))
        #expect(fixture.store.count("read", "photos/") == 5)
        #expect(fixture.store.log.filter { $0.hasPrefix("write ") } == ["write \(bad)"])
        #expect(try await fixture.backUp().progress.uploadedFiles == 0)
    }

    @Test("an unavailable store does not cause all contents to be uploaded again")
    func silent() async throws {
        let fixture = try await backedUp(3) { verb, key in
            verb == "head" && key.hasPrefix("photos/") ? .unavailable("503") : nil
        }
        let summary = try await fixture.backUp()
        #expect(fixture.store.count("write") == 0)
        #expect(summary.failures.count == 3)
    }
}

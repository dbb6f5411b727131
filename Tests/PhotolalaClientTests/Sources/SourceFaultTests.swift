import Foundation
import PhotolalaClient
import PhotolalaTesting
import Synchronization
import Testing

@testable import PhotoSync

@Suite("Backups of a source that fails") struct SourceFaultTests {
    private let fixture: SourceFixture
    private let source = FakePhotoSource()

    init() throws {
        fixture = try SourceFixture()
        for seed in 1...4 { source.add("\(seed)", PhotoBytes.jpeg(seed, length: 5_000)) }
    }

    @Test(
        "an unreadable asset is reported, the others are stored, and the next backup reads it",
        arguments: [
            (PhotoSourceError.notDownloaded, BackupFailure.source(.notDownloaded)), (.denied, .file(.denied)),
            (.missing, .file(.missing)), (.failed("x"), .source(.failed("x"))),
        ])
    func unreadable(error: PhotoSourceError, failure: BackupFailure) async throws {
        source.fail("2", with: error)
        let summary = try await fixture.backUp(source)
        #expect(summary.ending == .completed && summary.failures.map(\.failure) == [failure])
        #expect(try await fixture.catalog().count == 3)
        source.fail("2", with: nil)
        source.clearLog()
        #expect(try await fixture.backUp(source).isComplete)
        #expect(source.reads == ["2/photo"] && !source.requests.contains("all"))
        #expect(try await fixture.catalog().count == 4)
    }

    @Test("an asset that is edited while it is read is read again")
    func changesWhileRead() async throws {
        let isFirst = Mutex(true)
        source.setOnChunk { [source] name, chunk in
            guard name == "2/photo", chunk == 3, isFirst.withLock({ $0.exchange(false) }) else { return }
            source.add("2", PhotoBytes.jpeg(9, length: 5_000), modified: SourceFixture.taken + 60)
        }
        #expect(try await fixture.backUp(source).isComplete)
        #expect(try await fixture.content(at: "/2 (") == PhotoBytes.jpeg(9, length: 5_000))
        #expect(source.reads.count { $0 == "2/photo" } == 2)
    }

    @Test("an asset that differs while it is uploaded is not stored under the wrong key")
    func changesWhileUploaded() async throws {
        var fixture = fixture
        fixture.settings.bufferedFileLimit = 0
        let reads = Mutex(0)
        source.setOnChunk { [source] name, chunk in
            guard name == "2/photo", chunk == 0 else { return }
            if reads.withLock({
                $0 += 1; return $0
            }) == 2 {
                source.add("2", PhotoBytes.jpeg(9, length: 5_000))
            }
        }
        #expect(try await fixture.backUp(source).isComplete)
        #expect(try await fixture.content(at: "/2 (") == PhotoBytes.jpeg(9, length: 5_000))
        #expect(try await fixture.store.memory.list(prefix: "photos/", after: nil, limit: 9).objects.count == 4)
    }

    @Test("an asset that becomes unreadable during its upload is that asset's failure")
    func failsInUpload() async throws {
        var fixture = fixture
        fixture.settings.bufferedFileLimit = 0
        let reads = Mutex(0)
        source.setOnChunk { [source] name, chunk in
            guard name == "2/photo", chunk == 0 else { return }
            if reads.withLock({
                $0 += 1; return $0
            }) == 2 {
                source.fail("2", with: .notDownloaded)
            }
        }
        let summary = try await fixture.backUp(source)
        #expect(summary.failures.map(\.failure) == [.source(.notDownloaded)])
        #expect(try await fixture.catalog().count == 3)
    }

    @Test("of two resources with one path the first is stored, and the other one is reported")
    func repeatedPath() async throws {
        let source = FakePhotoSource()
        for seed in 1...2 {
            let resource = PhotoResource(
                id: "photo", kind: .photo, name: "a.jpg", modified: SourceFixture.taken, path: "a.jpg")
            source.put(PhotoAsset(id: "\(seed)", resources: [resource]), ["photo": PhotoBytes.jpeg(seed)])
        }
        let summary = try await fixture.backUp(source)
        #expect(summary.problems.map(\.reason) == [.repeatedPath])
        #expect(try await fixture.content(at: "a.jpg") == PhotoBytes.jpeg(1))
    }

    @Test("a wrong size is reported as a change")
    func wrongSize() async throws {
        source.add("2", PhotoBytes.jpeg(2, length: 5_000), size: 4_999)
        #expect(try await fixture.backUp(source).failures.map(\.failure) == [.changedWhileRead])
    }

    @Test("a cancelled backup stores no truncated photo, and the next one stores the rest")
    func cancelled() async throws {
        let (fixture, source) = (fixture, source)
        let task = Mutex<Task<BackupSummary, any Error>?>(nil)
        source.setOnChunk { name, chunk in
            if name == "3/photo", chunk == 2 { task.withLock { $0?.cancel() } }
        }
        let start = Gate()
        let running = Task {
            await start.wait()
            return try await fixture.backUp(source)
        }
        task.withLock { $0 = running }
        start.open()
        #expect(try await running.value.ending == .cancelled)
        source.setOnChunk { _, _ in }
        source.clearLog()
        #expect(try await fixture.backUp(source).isComplete)
        #expect(source.reads.count { $0 == "3/photo" } == 1)
        for seed in 1...4 {
            #expect(try await fixture.content(at: "/\(seed) (") == PhotoBytes.jpeg(seed, length: 5_000))
        }
        #expect(try await fixture.store.memory.list(prefix: "photos/", after: nil, limit: 9).objects.count == 4)
    }
}

extension Bool {
    fileprivate mutating func exchange(_ value: Bool) -> Bool {
        defer { self = value }
        return self
    }
}

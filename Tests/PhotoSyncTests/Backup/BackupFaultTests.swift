import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Synchronization
import Testing

@testable import PhotoCatalog
@testable import PhotoSync

struct BackupFaultTests {
    private func fill(_ fixture: BackupFixture, _ count: Int) throws {
        for index in 0..<count { try fixture.folder.write("\(100 + index).jpg", PhotoBytes.jpeg(index)) }
    }

    @Test("one file that the store refuses does not stop the others")
    func oneBadFile() async throws {
        let bad = ContentDigest(of: ByteBuffer(bytes: PhotoBytes.jpeg(4))).description
        let fixture = try BackupFixture { verb, key in
            verb == "write" && key.contains(bad) ? .unavailable("503") : nil
        }
        try fill(fixture, 10)
        let summary = try await fixture.backUp()
        #expect(summary.ending == .completed)
        #expect(!summary.isComplete)
        #expect(summary.failures.map(\.path.description) == ["104.jpg"])
        #expect(summary.failures.map(\.failure) == [.store(.unavailable("503"))])
        #expect(try await fixture.catalog().count == 9)
    }

    @Test("credentials that the store refuses stop the backup with their reason")
    func denied() async throws {
        let fixture = try BackupFixture { verb, key in
            verb == "write" && key.hasPrefix("photos/") ? .denied("ExpiredToken") : nil
        }
        try fill(fixture, 30)
        let summary = try await fixture.backUp()
        #expect(summary.ending == .stopped(.denied("ExpiredToken")))
        #expect(summary.progress.finishedFiles < 30)
    }

    @Test("a full store stops the backup, and the uploaded files are in the catalog")
    func full() async throws {
        let left = Mutex(5)
        let fixture = try BackupFixture { verb, key in
            guard verb == "write", key.hasPrefix("photos/") else { return nil }
            return left.withLock {
                $0 -= 1; return $0
            } < 0 ? .outOfSpace : nil
        }
        try fill(fixture, 30)
        let summary = try await fixture.backUp()
        #expect(summary.ending == .stopped(.storeFull))
        #expect(try await fixture.catalog().count == 5)
    }

    @Test("an unavailable store stops the backup after several files")
    func gone() async throws {
        let fixture = try BackupFixture { verb, key in
            verb == "write" && key.hasPrefix("photos/") ? .unavailable("refused") : nil
        }
        try fill(fixture, 40)
        let summary = try await fixture.backUp()
        guard case .stopped(.storeUnavailable) = summary.ending else {
            Issue.record("ended as \(summary.ending)")
            return
        }
        #expect(summary.failures.count < 20)
    }

    @Test("a store that becomes unavailable stops the backup even with few files")
    func goneWithFewFiles() async throws {
        let gone = Mutex(false)
        let fixture = try BackupFixture { verb, key in
            if verb == "write" { gone.withLock { $0 = true } }
            return gone.withLock { $0 } ? .unavailable("refused") : nil
        }
        try fill(fixture, 2)
        let summary = try await fixture.backUp()
        guard case .stopped(.storeUnavailable) = summary.ending else {
            Issue.record("ended as \(summary.ending)")
            return
        }
        #expect(summary.failures.count == 2)
    }

    @Test("a single photo that the store refuses is a failure of that photo while the store responds")
    func loneBadFile() async throws {
        let fixture = try BackupFixture { verb, _ in verb == "write" ? .unavailable("503") : nil }
        try fill(fixture, 1)
        let summary = try await fixture.backUp()
        #expect(summary.ending == .completed)
        #expect(summary.failures.map(\.failure) == [.store(.unavailable("503"))])
    }

    @Test("a cancelled backup commits what is done, and the next run uploads only the rest")
    func cancelled() async throws {
        let fixture = try BackupFixture()
        try fill(fixture, 40)
        let task = Mutex<Task<BackupSummary, any Error>?>(nil)
        let running = Task {
            try await fixture.backUp { event in
                if case .finished(_, _, let progress) = event, progress.finishedFiles == 10 {
                    task.withLock { $0?.cancel() }
                }
            }
        }
        task.withLock { $0 = running }
        let summary = try await running.value
        if summary.ending == .cancelled {
            #expect(try await fixture.catalog().count == summary.progress.finishedFiles)
            #expect(summary.failures.isEmpty)
        }
        let before = fixture.store.count("write", "photos/")
        let again = try await fixture.backUp()
        #expect(again.isComplete)
        #expect(again.progress.uploadedFiles == fixture.store.count("write", "photos/") - before)
        #expect(try await fixture.catalog().count == 40)
    }

    @Test("a file that changes during upload is retried and stored with its new content")
    func changesOnce() async throws {
        var fixture = try BackupFixture()
        fixture.settings.bufferedFileLimit = 0
        let (before, after) = (PhotoBytes.jpeg(1, length: 3_000_000), PhotoBytes.jpeg(2, length: 3_000_000))
        try fixture.folder.write("a.jpg", before)
        let folder = fixture.folder
        let summary = try await fixture.backUp { event in
            if case .sent(_, 1_048_576, _) = event, (try? folder.read("a.jpg")) == before {
                try? folder.write("a.jpg", after)
            }
        }
        #expect(summary.isComplete)
        #expect(try await fixture.stored(before) == nil)
        #expect(try await fixture.stored(after)?.bytes.readableBytes == after.count)
    }

    @Test("a file that changes on every attempt is reported and not stored")
    func changesAlways() async throws {
        var fixture = try BackupFixture()
        fixture.settings.bufferedFileLimit = 0
        try fixture.folder.write("a.jpg", PhotoBytes.jpeg(0, length: 3_000_000))
        let folder = fixture.folder
        let seed = Mutex(0)
        let summary = try await fixture.backUp { event in
            guard case .sent(_, 1_048_576, _) = event else { return }
            let next = seed.withLock {
                $0 += 1; return $0
            }
            try? folder.write("a.jpg", PhotoBytes.jpeg(next, length: 3_000_000))
        }
        #expect(summary.failures.map(\.failure) == [.changedWhileRead])
        #expect(try await fixture.store.memory.list(prefix: "photos/", after: nil, limit: 10).objects.isEmpty)
        #expect(try await fixture.catalog().count == 0)
    }

    @Test("a file that disappears is reported and the others are backed up")
    func vanishes() async throws {
        let fixture = try BackupFixture()
        try fill(fixture, 5)
        let folder = fixture.folder
        let summary = try await fixture.backUp { event in
            if case .foundFiles = event { try? FileManager.default.removeItem(atPath: folder.subpath("102.jpg")) }
        }
        #expect(summary.failures.map(\.failure) == [.file(.missing)])
        #expect(try await fixture.catalog().count == 4)
    }

    @Test(
        "a file that is empty or no longer a photo when read is reported and not stored",
        arguments: [[], Array("text in a photo's place".utf8), Array("GIF89a and more".utf8)] as [[UInt8]]
    )
    func becomesAnother(bytes: [UInt8]) async throws {
        let fixture = try BackupFixture()
        try fill(fixture, 3)
        let folder = fixture.folder
        let summary = try await fixture.backUp { event in
            if case .foundFiles = event { try? folder.write("101.jpg", bytes) }
        }
        #expect(summary.failures.map(\.failure) == [.changedWhileRead])
        #expect(try await fixture.stored(bytes) == nil)
        #expect(try await fixture.catalog().count == 2)
    }

    @Test("a damaged journal causes repeated work but no conflicts or uploads")
    func damagedState() async throws {
        let fixture = try BackupFixture()
        try fill(fixture, 5)
        _ = try await fixture.backUp()
        let name = try #require(try fixture.state.files().first)
        try fixture.state.write(name, Array("path,size\ngarbage".utf8))
        let summary = try await fixture.backUp()
        #expect(summary.progress.alreadyStoredFiles == 5)
        #expect(summary.conflicts.isEmpty)
    }

    @Test("an unreadable catalog stops the backup before any upload")
    func unreadableCatalog() async throws {
        let fixture = try BackupFixture()
        try fill(fixture, 2)
        let pointer = ObjectKey(known: StorageLayout.catalogPointer(.bob))
        try await fixture.store.put(pointer, ByteBuffer(string: "junk"), if: .always)
        await #expect(throws: BackupError.catalog(.malformedPointer)) { _ = try await fixture.backUp() }
        #expect(fixture.store.count("write") == 0)
    }

    @Test("a failed catalog commit is the reported reason, and the next run commits the entries")
    func catalogFails() async throws {
        let broken = Mutex(true)
        let fixture = try BackupFixture { verb, _ in
            verb == "put" && broken.withLock { $0 } ? .denied("read only") : nil
        }
        try fill(fixture, 3)
        #expect(try await fixture.backUp().ending == .stopped(.catalog(.store(.denied("read only")))))
        broken.withLock { $0 = false }
        let again = try await fixture.backUp()
        #expect(again.isComplete)
        #expect(again.progress.uploadedFiles == 0)
        #expect(try await fixture.catalog().count == 3)
    }

    @Test("the catalog is committed periodically during a backup")
    func commitsOnTheWay() async throws {
        var fixture = try BackupFixture()
        fixture.settings.commitAfterFiles = 10
        try fill(fixture, 35)
        let commits = Mutex<[Int?]>([])
        _ = try await fixture.backUp { event in
            if case .committed(let entries) = event { commits.withLock { $0.append(entries) } }
        }
        #expect(commits.withLock { $0 } == [10, 20, 30, 35])
    }

    @Test("a failed commit is not retried after each file, and the next commit contains its entries")
    func failedCommit() async throws {
        let broken = Mutex(true)
        var fixture = try BackupFixture { verb, _ in
            verb == "put" && broken.withLock { $0 } ? .denied("read only") : nil
        }
        fixture.settings.commitAfterFiles = 5
        try fill(fixture, 40)
        #expect(try await fixture.backUp().ending == .stopped(.catalog(.store(.denied("read only")))))
        #expect(fixture.store.count("put") == 2, "after five files, and at the end")
        broken.withLock { $0 = false }
        #expect(try await fixture.backUp().isComplete)
        #expect(try await fixture.catalog().count == 40)
    }

    @Test("when the quota is exceeded all remaining files are counted, without those that are stored")
    func overQuota() async throws {
        let isFull = Mutex(false)
        var fixture = try BackupFixture { verb, key in
            verb == "write" && key.hasPrefix("photos/") && isFull.withLock { $0 } ? .quotaExceeded : nil
        }
        fixture.settings.filesAhead = 1
        for number in 0..<5 { try fixture.folder.write("z/\(number).jpg", PhotoBytes.jpeg(number)) }
        #expect(try await fixture.backUp().isComplete)
        isFull.withLock { $0 = true }
        for number in 10..<40 { try fixture.folder.write("a/\(number % 3)/\(number).jpg", PhotoBytes.jpeg(number)) }
        let summary = try await fixture.backUp()
        #expect(summary.ending == .stopped(.overQuota) && summary.failures.count < 30)
        #expect(summary.filesOverQuota == 30 && summary.progress.alreadyStoredFiles == 5)
    }

    @Test("a missing folder is reported as missing")
    func noFolder() async throws {
        let fixture = try BackupFixture()
        let backup = Backup(
            store: fixture.store, user: .bob, stateFolder: fixture.state.path, pause: .none,
            now: { Date(timeIntervalSince1970: 0) }
        )
        await #expect(throws: BackupError.folder(.missing)) {
            _ = try await backup.run(folder: fixture.folder.subpath("none")) { _ in }
        }
    }
}

import Synchronization
import Testing

@testable import PhotoCatalog
@testable import PhotoSync
@testable import PhotolalaClient

@Suite("Progress of concurrent tasks") struct ProgressCounterTests {
    @Test("the reported progress does not decrease when a file is retried")
    func retried() throws {
        let told = Mutex<[TransferProgress]>([])
        let counter = ProgressCounter { progress in told.withLock { $0.append(progress) } }
        let path = try #require(LibraryPath("a.mov"))
        for bytes: Int64 in [10, 20, 30, 10, 20, 30, 40] { counter.record(.sent(path, bytes: bytes, of: 40)) }
        var done = BackupProgress()
        (done.finishedFiles, done.finishedBytes, done.uploadedBytes) = (1, 40, 40)
        counter.record(.finished(path, .uploaded, done))
        let all = told.withLock { $0 }
        #expect(all.map(\.finishedBytes) == [10, 20, 30, 30, 30, 30, 40, 40])
        #expect(all.map(\.movedBytes) == all.map(\.finishedBytes))
    }

    @Test("a download is in progress until its last byte")
    func downloads() throws {
        let told = Mutex<[[String: Double]]>([])
        let counter = ProgressCounter { progress in told.withLock { $0.append(progress.downloading) } }
        let path = try #require(LibraryPath("a.mov"))
        for fraction in [0.1, 0.5, 1] { counter.record(.downloading(path, fraction)) }
        #expect(told.withLock { $0 } == [["a.mov": 0.1], ["a.mov": 0.5], [:]])
    }
}

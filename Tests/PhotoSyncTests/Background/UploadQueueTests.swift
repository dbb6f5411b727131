import Foundation
import NIOCore
import ObjectStorage
import PhotoCatalog
import PhotolalaTesting
import Synchronization
import Testing

@testable import PhotoSync

@Suite("The file of the uploads in the background") struct UploadQueueTests {
    private let fixture: QueueFixture

    init() throws { fixture = try QueueFixture() }

    private func add(_ number: Int, to queue: UploadQueue) throws -> QueuedUpload {
        let entry = try fixture.entry(number)
        try CopyFile(queue.partialCopy(of: entry.md5)).append(QueueFixture.bytes(number))
        try queue.add(entry)
        return QueuedUpload(entry: entry, state: .planned)
    }

    private static let address = UploadAddress(
        url: "https://s3.example/a\tb", headers: ["a": "1:2", "b": ""], expiresAt: Date(timeIntervalSince1970: 1.5))

    private static let states: [QueuedUpload.State] = [
        .planned, .stored, .addressed(address), .handed(address, task: 7, .unmetered), .handed(address, task: 8, .all),
    ]

    @Test("every state is the same after a restart", arguments: states)
    func restart(state: QueuedUpload.State) throws {
        let queue = try UploadQueue(fixture.folder)
        var upload = try add(1, to: queue)
        upload.state = state
        try queue.set([upload])
        queue.close()
        let next = try UploadQueue(fixture.folder)
        #expect(next.uploads == [upload.md5: upload])
        #expect(next.doubtful == (upload.address == nil ? [] : [upload.md5]))
    }

    @Test("only one process at a time has the queue")
    func twoProcesses() throws {
        let queue = try UploadQueue(fixture.folder)
        #expect(throws: FileError.exists) { try UploadQueue(fixture.folder) }
        queue.close()
        _ = try UploadQueue(fixture.folder)
    }

    @Test("no process opens the queue in the moment in which another one replaces its file")
    func replacement() async throws {
        try LocalFolder.create(fixture.folder)
        let path = fixture.queueFile
        let isOver = Mutex(false)
        let first = try JournalFile(path)
        async let opened = Task.detached {
            var opened = 0
            while !isOver.withLock({ $0 }) { if (try? JournalFile(path)) != nil { opened += 1 } }
            return opened
        }.value
        var file = first
        do {
            defer { isOver.withLock { $0 = true } }
            for _ in 0..<300 { file = try file.replaced(with: ByteBuffer(string: "a\n")) }
        }
        #expect(await opened == 0)
        file.unlock()
    }

    @Test("a full disk loses no earlier and no later change")
    func fullDisk() throws {
        let isFull = Mutex(false)
        let write: JournalFile.Write = { bytes, descriptor throws(FileError) in
            guard isFull.withLock({ $0 }) else { return try writeAll(bytes, to: descriptor) }
            try writeAll(bytes.getSlice(at: 0, length: 20) ?? ByteBuffer(), to: descriptor)
            throw .outOfSpace
        }
        let queue = try UploadQueue(fixture.folder, write: write)
        var (one, two) = (try add(1, to: queue), try add(2, to: queue))
        isFull.withLock { $0 = true }
        (one.state, two.state) = (.stored, .stored)
        #expect(throws: FileError.outOfSpace) { try queue.set([one]) }
        #expect(throws: FileError.outOfSpace) { try add(3, to: queue) }
        #expect(queue.upload(of: one.md5)?.state == .planned && queue.total.contents == 2)
        #expect(try fixture.files(".upload").count == 2, "no copy is left of what was not added")
        isFull.withLock { $0 = false }
        try queue.set([two])
        queue.close()
        let next = try UploadQueue(fixture.folder)
        #expect(next.upload(of: one.md5)?.state == .planned && next.upload(of: two.md5)?.state == .stored)
        #expect(next.doubtful.isEmpty, "no line is damaged")
    }

    @Test("a file that cannot be shortened grows, and is shortened when there is space")
    func compaction() throws {
        let isFull = Mutex(true)
        let main = Mutex<CInt?>(nil)
        let queue = try UploadQueue(fixture.folder) { bytes, descriptor throws(FileError) in
            let isMain = main.withLock { main in
                main = main ?? descriptor
                return main == descriptor
            }
            guard isMain || !isFull.withLock({ $0 }) else { throw .outOfSpace }
            try writeAll(bytes, to: descriptor)
        }
        var upload = try add(1, to: queue)
        for task in 0..<1500 {
            upload.state = .handed(Self.address, task: task, .all)
            try queue.set([upload])
        }
        func lines() throws -> Int {
            try String(contentsOfFile: fixture.queueFile, encoding: .utf8).split(separator: "\n").count
        }
        #expect(try lines() == 1501)
        isFull.withLock { $0 = false }
        upload.state = .stored
        try queue.set([upload])
        #expect(try lines() == 1)
        queue.close()
        #expect(try UploadQueue(fixture.folder).uploads == [upload.md5: upload])
    }

    @Test("the queue knows its size without adding it up")
    func total() throws {
        let queue = try UploadQueue(fixture.folder)
        let uploads = try (1...5).map { try add($0, to: queue) }
        try queue.set([QueuedUpload(entry: uploads[0].entry, state: .stored)])
        try queue.remove([uploads[1].md5, uploads[1].md5])
        queue.close()
        for queue in [queue, try UploadQueue(fixture.folder)] {
            #expect(queue.total == (4, queue.uploads.values.reduce(0) { $0 + $1.entry.size }))
        }
    }

    @Test("what an interrupted process left is removed: parts of copies, and copies that the file does not name")
    func leftovers() throws {
        let queue = try UploadQueue(fixture.folder)
        let upload = try add(1, to: queue)
        queue.close()
        let other = ContentDigest(of: ByteBuffer(string: "other"))
        for name in ["\(other).upload", "\(other).part"] {
            try Data([1]).write(to: URL(filePath: "\(fixture.folder)/\(name)"))
        }
        _ = try UploadQueue(fixture.folder)
        #expect(try fixture.files("").sorted() == ["\(upload.md5).upload", "queue"].sorted())
    }
}

import Foundation
import NIOCore
import ObjectStorage
import PhotoCatalog
import PhotolalaAPI
import PhotolalaTesting
import Testing

@testable import PhotoSync

@Suite("Uploads in the background when something fails") struct BackgroundFailureTests {
    private let fixture: QueueFixture

    init() throws { fixture = try QueueFixture() }

    /// Adds photos and hands them over.
    private func started(
        _ numbers: ClosedRange<Int> = 1...1, over networks: PermittedNetworks = .all
    ) async throws -> BackgroundUploads {
        let uploads = try fixture.open()
        for number in numbers { try await fixture.add(number, to: uploads) }
        try await uploads.advance(over: networks)
        #expect(fixture.starts == numbers.count)
        return uploads
    }

    private var full: BackgroundStop { .file(.outOfSpace) }

    @Test(
        "an upload that was started while the disk was full is not sent again",
        arguments: [(true, true), (true, false), (false, true), (false, false)])
    func unrecorded(report: Bool, isFullLonger: Bool) async throws {
        let uploads = try fixture.open()
        try await fixture.add(1, to: uploads)
        fixture.system.onStart.withLock { $0 = { [fixture] in fixture.isFull.withLock { $0 = true } } }
        await #expect(throws: full) { try await uploads.advance(over: .all) }
        try await fixture.finish(1, isStored: true, report: report)
        if isFullLonger { await #expect(throws: full) { try await uploads.advance(over: .all) } }
        fixture.isFull.withLock { $0 = false }
        try await uploads.advance(over: .all)
        #expect(fixture.starts == 1)
        #expect(try await fixture.library() == ["1.jpg"])
    }

    enum Damage: CaseIterable { case truncated, garbage, newer, zeros }

    @Test(
        "a queue whose last lines are damaged or of a newer version loses nothing, and sends nothing again",
        arguments: Damage.allCases)
    func damagedFile(damage: Damage) async throws {
        do { _ = try await started(1...2) }
        try await fixture.finish(1, isStored: true, report: nil)
        // The lines say that contents were addressed, and handed over.
        var lines = try String(contentsOfFile: fixture.queueFile, encoding: .utf8).split(separator: "\n").map(
            String.init)
        #expect(lines.count == 6)
        for index in 2..<6 {
            switch damage {
            case .truncated: lines[index] = String(lines[index].dropLast(20))
            case .garbage: lines[index] = "\u{fffd}\u{0}tmp"
            case .zeros: lines[index] = String(repeating: "\0", count: 70_000)
            case .newer:
                let fields = JournalRow.fields(of: Array(lines[index].utf8))?.prefix(9) ?? []
                lines[index] = String(
                    decoding: JournalRow.line(of: fields + ["paused", "x"]).dropLast(), as: UTF8.self)
            }
        }
        try lines.joined(separator: "\n").write(toFile: fixture.queueFile, atomically: false, encoding: .utf8)
        let next = try fixture.open()
        try await next.advance(over: .all)
        #expect(try await fixture.library() == ["1.jpg"])
        #expect(fixture.starts == 3, "only the second photo is handed over again")
        #expect(fixture.system.cancelled.withLock { $0 } == [2], "the address of its task is unknown")
        try await fixture.finish(3, isStored: true, report: true)
        try await next.advance(over: .all)
        #expect(try await fixture.library() == ["1.jpg", "2.jpg"])
    }

    @Test("on a restored device without the copies, what is stored is in the library, and the rest is offered again")
    func withoutCopies() async throws {
        do {
            let uploads = try await started(1...3)
            try await fixture.finish(1, isStored: true, report: nil)
            try await fixture.finish(2, isStored: false, report: nil)
            try await fixture.add(4, to: uploads)
        }
        for name in try fixture.files(".upload") {
            try FileManager.default.removeItem(atPath: "\(fixture.folder)/\(name)")
        }
        fixture.system.tasks.withLock { $0 = [:] }
        let next = try fixture.open()
        try await next.advance(over: .all)
        #expect(try await fixture.library() == ["1.jpg"] && fixture.starts == 3)
        #expect(await next.counts == BackgroundCounts())
        #expect(await next.accepts(try fixture.entry(2).md5, size: 600))
    }

    @Test("a copy that disappeared is not handed over")
    func vanishedCopy() async throws {
        let uploads = try fixture.open()
        try await fixture.add(1, to: uploads)
        let name = try #require(try fixture.files(".upload").first)
        try FileManager.default.removeItem(atPath: "\(fixture.folder)/\(name)")
        try await uploads.advance(over: .all)
        try await uploads.advance(over: .all)
        #expect(fixture.starts == 0)
        #expect(await uploads.counts == BackgroundCounts())
    }

    @Test("a cancelled run removes no copy")
    func cancelledRun() async throws {
        let uploads = try await started()
        try await fixture.finish(1, isStored: false, report: false)
        let run = Task { try await uploads.advance(over: .all) }
        run.cancel()
        _ = await run.result
        #expect(await uploads.counts.waiting == 1)
        try await uploads.advance(over: .all)
        #expect(fixture.starts == 2)
    }

    @Test("a photo that cannot be copied leaves no part of a copy")
    func failedCopy() async throws {
        let uploads = try fixture.open()
        let entry = try fixture.entry(1)
        let body = AsyncThrowingStream<ByteBuffer, any Error> { stream in
            stream.yield(ByteBuffer(string: "first"))
            stream.finish(throwing: FileError.outOfSpace)
        }
        await #expect(throws: ObjectStoreError.self) {
            try await uploads.add(entry, ObjectBody(size: entry.size, chunks: body))
        }
        #expect(try fixture.files(".part").isEmpty)
        try await fixture.add(1, to: uploads)
        #expect(await uploads.counts.waiting == 1)
    }

    @Test("a stored photo that the store lost before it was in the library is uploaded again")
    func lostContent() async throws {
        let uploads = try await started()
        try await fixture.finish(1, isStored: true, report: true)
        try await fixture.store.memory.delete(fixture.key(1), if: .always)
        try await uploads.advance(over: .all)
        try await uploads.advance(over: .all)
        #expect(fixture.starts == 2)
        #expect(try await fixture.library().isEmpty)
    }

    @Test("tasks of an unknown photo end; those of another user or another kind go on")
    func unknownTasks() async throws {
        let uploads = try await started()
        let other = UserID(uuid: UUID())
        let names = [
            "\(fixture.user)/\(ContentDigest(of: ByteBuffer(string: "x")))", "\(other)/\(try fixture.entry(1).md5)",
            "x",
        ]
        for name in names {
            let address = UploadAddress(url: "https://s3.example/x", headers: [:], expiresAt: .distantFuture)
            _ = try await fixture.system.start(
                BackgroundUpload(name: name, file: "/dev/null", address: address, networks: .all))
        }
        try await uploads.advance(over: .all)
        #expect(fixture.system.cancelled.withLock { $0 } == [2])
        try await uploads.cancelAll()
        #expect(fixture.system.tasks.withLock { $0.keys.sorted() } == [3, 4])
    }

    @Test("a second task of a photo ends", arguments: [true, false])
    func secondTask(isStored: Bool) async throws {
        let uploads = try await started()
        let upload = try #require(fixture.system.started.withLock { $0.first })
        _ = try await fixture.system.start(upload)
        if isStored { try await fixture.finish(1, isStored: true, report: true) }
        try await uploads.advance(over: .all)
        #expect(fixture.system.cancelled.withLock { $0.count } == 1 && fixture.starts == 2)
        #expect(try await fixture.library().count == (isStored ? 1 : 0))
    }

    @Test("a task whose networks are unknown starts again if only unmetered ones are permitted")
    func unknownNetworks() async throws {
        do {
            let uploads = try fixture.open()
            try await fixture.add(1, to: uploads)
            fixture.system.onStart.withLock { $0 = { [fixture] in fixture.isFull.withLock { $0 = true } } }
            await #expect(throws: full) { try await uploads.advance(over: .unmetered) }
        }
        fixture.system.onStart.withLock { $0 = nil }
        fixture.isFull.withLock { $0 = false }
        let next = try fixture.open()
        try await next.advance(over: .unmetered)
        #expect(fixture.system.cancelled.withLock { $0 } == [1])
        try await next.advance(over: .unmetered)
        #expect(fixture.system.started.withLock { $0.map(\.networks) } == [.unmetered, .unmetered])
    }

    @Test("uploads reach the store with a clock that is ahead or behind", arguments: [-40.0, -1, 1, 40])
    func wrongClock(days: Double) async throws {
        fixture.clock.advance(by: days * 86_400)
        let uploads = try await started()
        // With a clock that is behind, addresses that ended seem valid.
        fixture.server.advance(by: 8 * 86_400)
        if days < 0 { try await fixture.finish(1, isStored: false, report: false) }
        try await uploads.advance(over: .all)
        let last = fixture.starts
        #expect(days != 1 || last == 1)
        try await fixture.finish(last, isStored: true, report: true)
        try await uploads.advance(over: .all)
        #expect(try await fixture.library() == ["1.jpg"] && fixture.starts == last)
    }

    @Test("a clock that jumps back and forth loses nothing, and restarts no upload that has begun")
    func jumpingClock() async throws {
        let uploads = try await started()
        fixture.system.tasks.withLock { $0[1]?.hasBegun = true }
        for days in [30.0, -60, 90, -60] {
            fixture.clock.advance(by: days * 86_400)
            try await uploads.advance(over: .all)
        }
        #expect(fixture.starts == 1)
        try await fixture.finish(1, isStored: true, report: true)
        try await uploads.advance(over: .all)
        #expect(try await fixture.library() == ["1.jpg"])
    }

    @Test("of 100,000 photos as many are copied as there is room for; the others are not read, and follow")
    func manyPhotos() async throws {
        var limits = BackgroundLimits()
        limits.contents = 20
        let uploads = try fixture.open(limits: limits)
        var entry = try fixture.entry(1)
        for number in 0..<100_000 {
            let bytes = ByteBuffer(integer: number)
            entry = CatalogEntry(
                path: entry.path, md5: ContentDigest(of: bytes), size: 8, modified: entry.modified, type: entry.type,
                media: entry.media)
            let body =
                number < 20
                ? ObjectBody(bytes)
                : ObjectBody(
                    size: 8, chunks: AsyncThrowingStream { $0.finish(throwing: ObjectStoreError.digestMismatch) })
            try await uploads.add(entry, body)
        }
        #expect(await uploads.counts.waiting == 20)
        #expect(await !uploads.accepts(entry.md5, size: 8))
        try await uploads.advance(over: .all)
        for id in 1...10 { try await fixture.finish(id, isStored: true, report: true) }
        try await uploads.advance(over: .all)
        #expect(await uploads.accepts(entry.md5, size: 8))
    }

    @Test("at most 500 addresses are open at a time")
    func openAddresses() async throws {
        let uploads = try fixture.open()
        for number in 0..<510 { try await fixture.add(number, to: uploads) }
        try await uploads.advance(over: .all)
        try await uploads.advance(over: .all)
        #expect(fixture.requests.withLock { $0 } == [500])
        for id in 1...4 { try await fixture.finish(id, isStored: true, report: true) }
        try await uploads.advance(over: .all)
        #expect(fixture.requests.withLock { $0 } == [500, 4])
    }

    @Test("a backup asks the store for no photo for which there is no room")
    func fullQueue() async throws {
        // With more objects than one page of a listing, each photo would cost a request.
        for number in 1...1001 {
            _ = try await fixture.store.memory.put(fixture.key(-number), ByteBuffer(), if: .always)
        }
        let folder = try TemporaryFolder()
        for number in 1...60 { try folder.write("\(number).jpg", PhotoBytes.jpeg(number)) }
        var limits = BackgroundLimits()
        limits.contents = 10
        let uploads = try fixture.open(limits: limits)
        var backup = Backup(
            store: fixture.store, user: fixture.user, stateFolder: fixture.state.path, pause: .none,
            now: { [fixture] in fixture.clock.now })
        backup.deferred = uploads
        #expect(try await backup.run(folder: folder.path) { _ in }.progress.deferredFiles == 60)
        _ = fixture.store.drain()
        #expect(try await backup.run(folder: folder.path) { _ in }.progress.deferredFiles == 60)
        #expect(fixture.store.drain().requests < 10)
        #expect(await uploads.counts.waiting == 10)
    }

    @Test("without a session, the uploads of all users of the device can be removed")
    func removeAll() async throws {
        do { _ = try await started(1...2) }
        let other = try QueueFixture()
        try FileManager.default.copyItem(
            atPath: fixture.folder, toPath: "\(fixture.state.path)/background-\(other.user)")
        for name in ["\(other.user)/\(try fixture.entry(1).md5)", "\(UserID(uuid: UUID()))/x"] {
            let address = UploadAddress(url: "https://s3.example/x", headers: [:], expiresAt: .distantFuture)
            _ = try await fixture.system.start(
                BackgroundUpload(name: name, file: "/dev/null", address: address, networks: .all))
        }
        try await BackgroundUploads.removeAll(in: fixture.state.path, transfer: fixture.system)
        #expect(fixture.system.tasks.withLock { $0.keys.sorted() } == [4])
        #expect(try fixture.state.files().allSatisfy { !$0.hasSuffix(".upload") })
        #expect(await (try fixture.open()).counts == BackgroundCounts())
        try await BackgroundUploads.removeAll(in: "\(fixture.state.path)/none", transfer: fixture.system)
    }
}

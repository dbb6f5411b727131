import Foundation
import NIOCore
import ObjectStorage
import PhotoCatalog
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

@testable import PhotoSync

@Suite("Uploads while the app does not run") struct BackgroundUploadTests {
    private func uploadAll(_ world: BackgroundWorld) async {
        while world.system.count > 0 { await world.system.step(isReliable: true) }
    }

    @Test("the system uploads new photos, and the next launch adds them to the library")
    func journey() async throws {
        let world = try await BackgroundWorld()
        for seed in 1...3 { try world.folder.write("\(seed).jpg", PhotoBytes.jpeg(seed)) }
        #expect(try await world.launch() == nil)
        #expect(try await world.counts() == BackgroundCounts(running: 3))
        #expect(try await world.library().isEmpty && world.system.stored.isEmpty)
        await uploadAll(world)
        #expect(world.system.stored.values.allSatisfy { $0 == 1 } && world.system.stored.count == 3)
        #expect(try await world.launch(backingUp: false) == nil)
        #expect(try await world.library().keys.sorted() == ["1.jpg", "2.jpg", "3.jpg"])
        #expect(try await world.counts() == BackgroundCounts())
        let files = try world.state.files().filter { $0.hasSuffix(".upload") }
        #expect(files.isEmpty, "no copy is left")
        #expect(try await world.launch() == nil)
        #expect(world.system.stored.count == 3 && world.system.count == 0)
    }

    @Test("a photo that is deleted on the device after its upload is in the library all the same")
    func deleted() async throws {
        let world = try await BackgroundWorld()
        try world.folder.write("a.jpg", PhotoBytes.jpeg(1))
        try await world.launch()
        await uploadAll(world)
        try FileManager.default.removeItem(atPath: world.folder.subpath("a.jpg"))
        try await world.launch()
        #expect(try await world.library().keys.sorted() == ["a.jpg"])
    }

    @Test("a photo that changes after it was handed over is in the library as it was and as it is")
    func changed() async throws {
        let world = try await BackgroundWorld()
        try world.folder.write("a.jpg", PhotoBytes.jpeg(1))
        try await world.launch()
        try world.folder.write("a.jpg", PhotoBytes.jpeg(2))
        for _ in 0..<3 {
            await uploadAll(world)
            try await world.launch()
        }
        let contents = [1, 2].map { ContentDigest(of: ByteBuffer(bytes: PhotoBytes.jpeg($0))).description }
        #expect(try await Set(world.library().values) == Set(contents))
        #expect(world.system.stored == Dictionary(uniqueKeysWithValues: contents.map { ($0, 1) }))
    }

    @Test("addresses that ended before the upload began are replaced", arguments: [true, false])
    func expired(isLate: Bool) async throws {
        let world = try await BackgroundWorld(lifetime: 3600)
        try world.folder.write("a.jpg", PhotoBytes.jpeg(1))
        try await world.launch()
        world.clock.advance(by: isLate ? 3601 : 3000)
        try await world.launch()
        #expect(world.system.networks.count == (isLate ? 2 : 1))
        await uploadAll(world)
        try await world.launch()
        #expect(try await world.library().count == 1 && world.system.stored.values.allSatisfy { $0 == 1 })
    }

    @Test("what exceeds the quota waits, and follows when there is space")
    func quota() async throws {
        let world = try await BackgroundWorld()
        let filler = world.photo([1])
        _ = try await world.memory.put(
            filler, ByteBuffer(repeating: 1, count: Int(BackgroundWorld.limit) - 1500), if: .always)
        for seed in 1...4 { try world.folder.write("\(seed).jpg", PhotoBytes.jpeg(seed)) }
        let stop = try await world.launch()
        guard case .quotaExceeded(_, BackgroundWorld.limit) = stop else {
            Issue.record("\(String(describing: stop))")
            return
        }
        #expect(try await world.counts() == BackgroundCounts(waiting: 2, running: 2))
        await uploadAll(world)
        try await world.memory.delete(filler, if: .always)
        world.clock.advance(by: 120)
        #expect(try await world.launch() == nil)
        await uploadAll(world)
        try await world.launch()
        #expect(try await world.library().count == 4)
    }

    @Test("while the account is being deleted nothing is uploaded and nothing lost; after that it continues")
    func deletingAccount() async throws {
        let world = try await BackgroundWorld()
        for seed in 1...3 { try world.folder.write("\(seed).jpg", PhotoBytes.jpeg(seed)) }
        try await world.launch()
        let session = world.session.withLock { $0 }
        _ = try await world.service.services.deletion.schedule(
            .init(confirmation: DeletionRequest.confirmationText), caller: try await world.service.caller(session))
        await uploadAll(world)
        #expect(world.system.stored.isEmpty)
        #expect(try await world.launch() != nil)
        #expect(try await world.counts() == BackgroundCounts(waiting: 3))
        let again = try await world.service.signIn(.apple, "bob").session
        world.session.withLock { $0 = again }
        #expect(try await world.launch() != nil, "the new session only reads")
        _ = try await world.service.services.deletion.cancel(try await world.service.caller(again))
        try await world.launch()
        await uploadAll(world)
        try await world.launch()
        #expect(try await world.library().count == 3)
    }

    @Test("the photo of an ended session waits until the next sign-in")
    func signedOut() async throws {
        let world = try await BackgroundWorld()
        try world.folder.write("a.jpg", PhotoBytes.jpeg(1))
        world.clock.advance(by: 31 * 86_400)
        #expect(try await world.launch() != nil)
        let again = try await world.service.signIn(.apple, "bob").session
        world.session.withLock { $0 = again }
        #expect(try await world.launch() == nil)
        #expect(world.system.count == 1)
    }

    @Test("uploads that may use cellular networks are handed over again once that is forbidden")
    func networks() async throws {
        let world = try await BackgroundWorld()
        for seed in 1...2 { try world.folder.write("\(seed).jpg", PhotoBytes.jpeg(seed)) }
        try await world.launch(networks: .all)
        try await world.launch(networks: .unmetered)
        #expect(world.system.networks == [.all, .all, .unmetered, .unmetered] && world.system.count == 2)
        try await world.launch(networks: .all)
        #expect(world.system.networks.count == 4, "a permission cancels nothing")
    }

    @Test("a photo that is in the trash by now is not put back")
    func trashed() async throws {
        let world = try await BackgroundWorld()
        try world.folder.write("a.jpg", PhotoBytes.jpeg(1))
        try await world.launch()
        await uploadAll(world)
        // Another device added the photo and moved it to the trash.
        let catalogs = CatalogStore(
            store: world.memory, user: world.user, device: DeviceTag(deviceID: "01234567"), pause: .none)
        let path = try #require(LibraryPath("a.jpg"))
        let md5 = ContentDigest(of: ByteBuffer(bytes: PhotoBytes.jpeg(1)))
        let entry = CatalogEntry(
            path: path, md5: md5, size: 600, modified: Timestamp(whole: world.clock.now), type: .jpeg,
            media: MediaFacts())
        let version = try await catalogs.load()
        _ = try await catalogs.commit([.add(entry, replacing: nil), .trash(path, md5)], onto: version)
        try await world.launch()
        #expect(try await world.library().isEmpty)
        #expect(try await world.counts() == BackgroundCounts())
    }

    @Test("a damaged copy is replaced by another one of the photo")
    func damagedCopy() async throws {
        let world = try await BackgroundWorld()
        try world.folder.write("a.jpg", PhotoBytes.jpeg(1))
        try await world.launch()
        let copy = try #require(try world.state.files().first { $0.hasSuffix(".upload") })
        try world.state.write(copy, [1, 2, 3])
        await uploadAll(world)
        #expect(world.system.stored.isEmpty)
        try await world.launch()
        try await world.launch()
        await uploadAll(world)
        try await world.launch()
        #expect(try await world.library().count == 1)
    }

    @Test("copies take no more space than permitted, and the rest follows")
    func limitedSpace() async throws {
        let world = try await BackgroundWorld()
        let inbox = BackgroundInbox()
        var limits = BackgroundLimits()
        limits.bytes = 1300
        let uploads = try BackgroundUploads(
            in: world.state.path, user: world.user, device: .none, store: world.memory, pause: .none,
            transfer: world.system, inbox: inbox, limits: limits,
            reserve: { _ throws(BackgroundStop) in throw .transfer("") }, now: { world.clock.now })
        for seed in 1...4 { try world.folder.write("\(seed).jpg", PhotoBytes.jpeg(seed)) }
        var backup = Backup(
            store: world.memory, user: world.user, stateFolder: world.state.path, pause: .none,
            now: { world.clock.now })
        backup.deferred = uploads
        let summary = try await backup.run(folder: world.folder.path) { _ in }
        #expect(summary.progress.deferredFiles == 4 && !summary.isComplete && summary.failures.isEmpty)
        let counts = await uploads.counts
        #expect(counts == BackgroundCounts(waiting: 2))
    }

    @Test("cancelling removes tasks and copies; the next backup begins anew")
    func cancelAll() async throws {
        let world = try await BackgroundWorld()
        try world.folder.write("a.jpg", PhotoBytes.jpeg(1))
        try await world.launch()
        try await {
            let uploads = try BackgroundUploads(
                in: world.state.path, user: world.user, device: .none, store: world.memory, pause: .none,
                transfer: world.system, inbox: BackgroundInbox(),
                reserve: { _ throws(BackgroundStop) in throw .transfer("") }, now: { world.clock.now })
            try await uploads.cancelAll()
        }()
        #expect(world.system.count == 0)
        #expect(try world.state.files().allSatisfy { !$0.hasSuffix(".upload") })
        try await world.launch()
        #expect(world.system.count == 1)
    }

    /// Kills at random moments, with uploads that fail, succeed or lose their response in between.
    @Test("killed at any moment, every photo is uploaded once and is in the library", arguments: 0..<80)
    func killed(seed: UInt64) async throws {
        let world = try await survived(seed: seed, isDelaying: false)
        #expect(world.system.stored.values.allSatisfy { $0 == 1 }, "uploaded once")
    }

    @Test("only bytes that arrive after their upload was cancelled are uploaded again", arguments: 0..<20)
    func delayed(seed: UInt64) async throws {
        let world = try await survived(seed: seed, isDelaying: true)
        let late = world.system.late
        #expect(world.system.stored.allSatisfy { $0.value <= 1 + late[$0.key, default: 0] })
    }

    /// Kills the app at random moments, and checks that nothing is lost.
    private func survived(seed: UInt64, isDelaying: Bool) async throws -> BackgroundWorld {
        let world = try await BackgroundWorld(
            seed: seed, isBusy: true, isDelaying: isDelaying, lifetime: [300, 3600, 604_800][Int(seed % 3)])
        var photos: [String: [UInt8]] = [:]
        for round in 0..<12 {
            if photos.count < 9, world.chance(60) {
                let number = photos.count + 1
                photos["\(number).jpg"] = PhotoBytes.jpeg(number)
                try world.folder.write("\(number).jpg", PhotoBytes.jpeg(number))
            }
            try await world.launch(
                killedAfter: world.chance(80) ? world.number(0..<60) : nil, backingUp: round % 3 != 2,
                networks: world.chance(20) ? .unmetered : .all)
            for _ in 0..<world.number(0..<8) { await world.system.step() }
            world.clock.advance(by: TimeInterval(world.number(1..<20_000)))
        }
        for _ in 0..<6 {
            try await world.launch()
            while world.system.count > 0 { await world.system.step(isReliable: true) }
            world.clock.advance(by: 61)
        }
        let library = try await world.library()
        #expect(library.keys.sorted() == photos.keys.sorted())
        for (path, bytes) in photos {
            let md5 = ContentDigest(of: ByteBuffer(bytes: bytes)).description
            #expect(library[path] == md5)
            let stored = try await world.memory.get(world.photo(bytes), limit: 10_000)
            #expect(stored.map { Array($0.bytes.readableBytesView) } == bytes)
        }
        #expect(try await world.counts() == BackgroundCounts())
        return world
    }
}

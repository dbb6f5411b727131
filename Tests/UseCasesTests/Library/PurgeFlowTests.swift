import Foundation
import NIOCore
import ObjectStorage
import PhotoCatalog
import PhotolalaAPI
import PhotolalaTesting
import Subscriptions
import Synchronization
import Testing

@testable import UseCases

/// Permanent deletion from the trash, as the portal's pages perform it.
@Suite struct PurgeFlowTests {
    /// Bob, with photos that his browser uploaded.
    private struct Fixture {
        let service: TestService
        let caller: Caller

        init(
            _ options: TestService.Options = .init(), store: (any ObjectStore)? = nil, clock: TestClock = TestClock()
        ) async throws {
            let service = try await TestService.make(options, store: store, clock: clock)
            self.init(service, try await BrowserSignInFlow(service).open(.apple, .signup, as: "bob").caller)
        }

        init(_ service: TestService, _ caller: Caller) { (self.service, self.caller) = (service, caller) }

        static func photo(_ number: Int) -> ByteBuffer {
            let head = [0xff, 0xd8, 0xff, 0xe0, 0, 16] + Array("JFIF".utf8)
            // Numbers from 1,000 on are large photos.
            let rest = [UInt8](repeating: 7, count: number < 1000 ? 90 : 40_000)
            return ByteBuffer(bytes: head + rest + Array("\(number)".utf8))
        }

        static func md5(_ number: Int) -> ContentDigest { ContentDigest(of: photo(number)) }

        func key(_ number: Int) -> ObjectKey {
            ObjectKey(known: StorageLayout.photo(caller.user, md5: Self.md5(number).description))
        }

        /// Stores photos and enters them in the catalog.
        func upload(_ numbers: some Sequence<Int>, name: String = "") async throws -> [UploadRegistration.Outcome] {
            for number in numbers { _ = try await service.store.put(key(number), Self.photo(number), if: .always) }
            return try await finish(numbers, name: name)
        }

        /// Enters photos that are already stored.
        func finish(_ numbers: some Sequence<Int>, name: String) async throws -> [UploadRegistration.Outcome] {
            let arrivals = try numbers.map { number in
                UploadedPhoto(
                    path: try #require(LibraryPath("Uploads/\(name)\(number).jpg")), md5: Self.md5(number),
                    modified: Timestamp(seconds: 1_700_000_000 + Int64(number), nanoseconds: 0))
            }
            return try await service.services.libraryUploads.finishUploads(arrivals, caller: caller)
        }

        func trash(_ numbers: some Sequence<Int>) async throws {
            _ = try await service.services.library.moveToTrash(Set(numbers.map(Self.md5)), caller: caller)
        }

        func isStored(_ number: Int) async throws -> Bool { try await service.store.head(key(number)) != nil }

        func offer(_ choice: PurgeChoice) async throws -> PurgeOffer {
            try await service.services.library.preparePurge(choice, caller: caller)
        }

        func purge(_ choice: PurgeChoice, _ mark: ContentDigest) async throws -> PurgeProgress {
            try await service.services.library.purgeTrash(choice, confirmed: mark, caller: caller)
        }

        func trashed() async throws -> Int {
            try await service.services.library.showLibrary(caller).trash.photos.count
        }
    }

    @Test func `chosen photos are deleted with their thumbnails and previews, and all others are kept`() async throws {
        let fixture = try await Fixture()
        _ = try await fixture.upload(1...4)
        let (user, md5) = (fixture.caller.user, Fixture.md5(1).description)
        let pictures = [StorageLayout.thumbnail(user, md5: md5), StorageLayout.preview(user, md5: md5)]
            .map { ObjectKey(known: $0) }
        for key in pictures { _ = try await fixture.service.store.put(key, ByteBuffer(string: "small"), if: .always) }
        try await fixture.trash(1...3)
        let choice = PurgeChoice.photos([Fixture.md5(1), Fixture.md5(2), Fixture.md5(4)])
        let offer = try await fixture.offer(choice)
        #expect(Set(offer.contents) == [Fixture.md5(1), Fixture.md5(2)] && offer.keptPhotos == 0)
        #expect(offer.bytes == Int64(Fixture.photo(1).readableBytes + Fixture.photo(2).readableBytes))
        guard case .deleted(photos: 2, left: 0, digest: nil) = try await fixture.purge(choice, offer.contentsID) else {
            Issue.record("not deleted")
            return
        }
        for number in 1...2 { #expect(try await !fixture.isStored(number)) }
        for number in 3...4 { #expect(try await fixture.isStored(number)) }
        for key in pictures { #expect(try await fixture.service.store.head(key) == nil) }
        #expect(try await fixture.trashed() == 1)
        // They cannot be restored, and nothing is left to delete.
        #expect(try await fixture.offer(choice).contents.isEmpty)
        #expect(
            try await fixture.service.services.library.restoreFromTrash([Fixture.md5(1)], caller: fixture.caller).files
                == 0
        )
    }

    @Test func `photos are counted once, without the files that belong to them`() async throws {
        let fixture = try await Fixture()
        _ = try await fixture.upload([1, 2])
        let catalogs = CatalogStore(
            store: fixture.service.store, user: fixture.caller.user, device: DeviceTag(deviceID: "00000007"),
            pause: .none)
        let added = try [("Copies/1.jpg", 1, MediaType.jpeg), ("Uploads/1.xmp", 9, .xmp)].map { path, number, type in
            CatalogChange.add(
                CatalogEntry(
                    path: try #require(LibraryPath(path)), md5: Fixture.md5(number), size: 100,
                    modified: Timestamp(seconds: 1_700_000_000, nanoseconds: 0), type: type, media: MediaFacts()),
                replacing: nil)
        }
        _ = try await catalogs.commit(added, onto: try await catalogs.load())
        let moved = try await fixture.service.services.library.moveToTrash(
            [Fixture.md5(1), Fixture.md5(2)], caller: fixture.caller)
        #expect(moved.photos == 2 && moved.files == 4)
        for choice in [PurgeChoice.photos([Fixture.md5(1)]), .all] {
            let offer = try await fixture.offer(choice)
            let count = choice == .all ? 2 : 1
            #expect(offer.photoCount == count && offer.contents.count == count + 1 && offer.keptPhotos == 0)
        }
        let choice = PurgeChoice.photos([Fixture.md5(1)])
        let offer = try await fixture.offer(choice)
        guard case .deleted(photos: 1, left: 0, digest: nil) = try await fixture.purge(choice, offer.contentsID) else {
            Issue.record("not deleted")
            return
        }
    }

    @Test func `a purge of other contents than confirmed deletes nothing`() async throws {
        let fixture = try await Fixture()
        _ = try await fixture.upload(1...3)
        try await fixture.trash(1...2)
        let offer = try await fixture.offer(.all)
        try await fixture.trash([3])
        let now = try await fixture.offer(.all)
        #expect(try await fixture.purge(.all, offer.contentsID) == .unconfirmed(now))
        #expect(now.contents.count == 3 && now.contentsID != offer.contentsID)
        _ = try await fixture.service.services.library.restoreFromTrash([Fixture.md5(3)], caller: fixture.caller)
        _ = try await fixture.service.services.library.restoreFromTrash([Fixture.md5(2)], caller: fixture.caller)
        #expect(try await fixture.purge(.all, offer.contentsID) == .unconfirmed(try await fixture.offer(.all)))
        for number in 1...3 { #expect(try await fixture.isStored(number)) }
    }

    @Test func `a large trash is emptied over several requests`() async throws {
        let fixture = try await Fixture()
        let count = LibraryService.purgeBatchSize + 7
        for start in stride(from: 0, to: count, by: 100) {
            _ = try await fixture.upload(start..<min(start + 100, count))
        }
        try await fixture.trash(0..<count)
        let offer = try await fixture.offer(.all)
        guard
            case .deleted(photos: LibraryService.purgeBatchSize, left: 7, let mark?) = try await fixture.purge(
                .all, offer.contentsID)
        else {
            Issue.record("not bounded")
            return
        }
        #expect(try await fixture.trashed() == 7)
        guard case .deleted(photos: 7, left: 0, digest: nil) = try await fixture.purge(.all, mark) else {
            Issue.record("not continued")
            return
        }
        #expect(try await fixture.trashed() == 0)
        let photos = try await fixture.service.store.list(
            prefix: StorageLayout.photos(fixture.caller.user), after: nil, limit: 10)
        #expect(photos.objects.isEmpty)
    }

    @Test func `a photo that is also in the library outside the trash is kept and counted`() async throws {
        let fixture = try await Fixture()
        _ = try await fixture.upload([1, 2])
        try await fixture.trash([1, 2])
        #expect(try await fixture.upload([1], name: "copy of ") == [.added])
        let offer = try await fixture.offer(.all)
        #expect(offer.contents == [Fixture.md5(2)] && offer.keptPhotos == 1)
        guard case .deleted(photos: 1, left: 0, digest: nil) = try await fixture.purge(.all, offer.contentsID) else {
            Issue.record("not deleted")
            return
        }
        #expect(try await fixture.isStored(1))
    }

    @Test func `a photo that a device adds before any request of a purge is kept or refused`() async throws {
        let clock = TestClock()
        let memory = MemoryObjectStore { clock.now }
        let slow = InterruptedObjectStore(memory)
        let fixture = try await Fixture(store: slow, clock: clock)
        let device = Fixture(try await TestService.make(store: memory, clock: clock), fixture.caller)
        _ = try await device.upload([1, 2])
        try await device.trash([1])
        let mark = try await fixture.offer(.all).contentsID
        var added = Set<Bool>()
        for call in 0..<100 {
            let refused = Mutex(false)
            let name = "again \(call) "
            slow.interrupt(before: call) {
                // The bytes were sent before, or were already stored.
                let outcomes = try? await device.finish([1], name: name)
                refused.withLock { $0 = outcomes != [.added] }
            }
            _ = try? await fixture.purge(.all, mark)
            if slow.isWaiting {
                slow.interrupt(before: 0) {}
                #expect(call > 8 && added == [true, false])
                return
            }
            added.insert(!refused.withLock { $0 })
            let library = try await device.service.services.library.showLibrary(device.caller)
            for photo in library.photos.photos where photo.md5 == Fixture.md5(1) {
                #expect(try await device.isStored(1), "before request \(call)")
            }
            #expect(try await device.isStored(2))
            #expect(try await device.upload([1], name: "new \(call) ") == [.added])
            try await device.trash([1])
        }
        Issue.record("the purge did not end")
    }

    @Test(arguments: FaultyObjectStore.Fault.allCases)
    func `a fault at any request of a purge loses no other photo, and the next purge completes it`(
        fault: FaultyObjectStore.Fault
    ) async throws {
        for call in 0..<100 {
            let clock = TestClock()
            let memory = MemoryObjectStore { clock.now }
            let faulty = FaultyObjectStore(memory)
            let fixture = try await Fixture(store: faulty, clock: clock)
            _ = try await fixture.upload(1...3)
            try await fixture.trash(1...2)
            let mark = try await fixture.offer(.all).contentsID
            faulty.arm(fault, at: call)
            let progress = try? await fixture.purge(.all, mark)
            let isWhole = faulty.faultedRequest == .nothing
            // Later, on another instance, after a new sign-in.
            clock.advance(by: 3600)
            let service = try await TestService.make(store: memory, clock: clock)
            let later = Fixture(service, try await BrowserSignInFlow(service).open(.apple, .signin, as: "bob").caller)
            let library = try await service.services.library.showLibrary(later.caller)
            #expect(library.photos.photos.map(\.md5) == [Fixture.md5(3)])
            #expect(try await later.isStored(3))
            let rest = try await later.offer(.all)
            if case .deleted? = progress { #expect(rest.contents.isEmpty, "request \(call)") }
            if !rest.contents.isEmpty {
                guard
                    case .deleted(photos: rest.contents.count, left: 0, digest: nil) = try await later.purge(
                        .all, rest.contentsID)
                else {
                    Issue.record("not finished after request \(call)")
                    return
                }
            }
            for number in 1...2 { #expect(try await !later.isStored(number)) }
            #expect(try await later.trashed() == 0)
            #expect(try await later.upload([4]) == [.added])
            guard !isWhole else {
                #expect(call > 8)
                return
            }
        }
        Issue.record("the purge did not end")
    }

    @Test func `an account over its limit can upload again after it empties its trash`() async throws {
        var options = TestService.Options()
        options.plan = TierPlan([.free: .init(storageLimit: 60_000, products: [])])
        let fixture = try await Fixture(options)
        _ = try await fixture.upload([1000, 1001])
        let photo = OfferedPhoto(
            path: try #require(LibraryPath("Uploads/3.jpg")), md5: Fixture.md5(3),
            size: Int64(Fixture.photo(3).readableBytes), head: Fixture.photo(3), thumbnail: nil,
            preview: nil)
        #expect(
            try await fixture.service.services.libraryUploads.planUploads([photo], caller: fixture.caller) == [
                .quotaExceeded
            ])
        try await fixture.trash([1000, 1001])
        let offer = try await fixture.offer(.all)
        guard case .deleted(photos: 2, left: 0, digest: nil) = try await fixture.purge(.all, offer.contentsID) else {
            Issue.record("not deleted")
            return
        }
        // Usage is counted again before an upload is refused, but not twice within seconds.
        fixture.service.clock.advance(by: 300)
        let plans = try await fixture.service.services.libraryUploads.planUploads([photo], caller: fixture.caller)
        guard case .upload(_?, nil, nil)? = plans.first else {
            Issue.record("\(plans)")
            return
        }
    }

    @Test func `a purge without recent authentication is refused`() async throws {
        let fixture = try await Fixture()
        _ = try await fixture.upload([1])
        try await fixture.trash([1])
        let offer = try await fixture.offer(.all)
        fixture.service.clock.advance(by: 601)
        await #expect(throws: ServiceError.reauthenticationRequired) { try await fixture.offer(.all) }
        await #expect(throws: ServiceError.reauthenticationRequired) { try await fixture.purge(.all, offer.contentsID) }
        #expect(try await fixture.isStored(1))
    }
}

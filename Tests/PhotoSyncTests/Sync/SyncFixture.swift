import Foundation
import ObjectStorage
import PhotolalaTesting
import Testing

@testable import PhotoCatalog
@testable import PhotoSync

/// Bob's library, and a laptop and a phone that sync a folder with it.
struct SyncFixture {
    let library: SyncLibrary
    let laptop: SyncDevice
    let phone: SyncDevice

    /// - Parameter clock: The clock of the library's store.
    init(clock: TestClock = TestClock()) throws {
        library = SyncLibrary(clock: clock)
        laptop = try SyncDevice(1, store: library.store)
        phone = try SyncDevice(2, store: library.store)
    }

    /// Gives both devices the photos 0 to `count - 1`, and flushes them to their disks.
    func addPhotos(_ count: Int = 3) async throws {
        for number in 0..<count { try laptop.folder.write("\(number).jpg", PhotoBytes.jpeg(number)) }
        try await syncBoth()
        for device in [laptop, phone] { try device.disk.flush() }
    }

    /// Syncs the laptop, then the phone.
    func syncBoth() async throws {
        for device in [laptop, phone] { _ = try await device.sync() }
    }

    /// Expects that both folders have the photos of the library.
    func expectEqualPhotos(_ location: SourceLocation = #_sourceLocation) async throws {
        let shown = try await library.photos()
        #expect(try laptop.photos() == shown, sourceLocation: location)
        #expect(try phone.photos() == shown, sourceLocation: location)
    }
}

extension SyncSettings {
    /// Settings of a sync that only reports its changes.
    static var dryRun: SyncSettings {
        var settings = SyncSettings()
        settings.isDryRun = true
        return settings
    }

    /// Settings that confirm every removal, on both sides.
    static var confirmingRemovals: SyncSettings {
        var settings = SyncSettings()
        (settings.trashesAllMissing, settings.followsAllTrash) = (true, true)
        return settings
    }
}

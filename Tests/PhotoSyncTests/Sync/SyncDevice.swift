import Foundation
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Secrets

@testable import PhotoCatalog
@testable import PhotoSync

/// A device of Bob with a synced folder.
final class SyncDevice: Sendable {
    let folder: TemporaryFolder
    let state: TemporaryFolder
    let store: any ObjectStore
    let disk: SyncDisk
    private let tag: DeviceTag

    /// Long after the modification dates of the test files, which are at rest by then.
    static let now = Date(timeIntervalSince1970: 40_000 * 86_400)

    /// - Parameter folder: The synced folder; a new one by default.
    init(_ number: UInt32, store: any ObjectStore, folder: TemporaryFolder? = nil) throws {
        self.folder = try folder ?? TemporaryFolder()
        disk = SyncDisk(self.folder)
        state = try TemporaryFolder()
        self.store = store
        tag = DeviceTag(value: number)
    }

    /// - Parameter flushing: Called before each flush of the folder's disk.
    func sync(
        _ settings: SyncSettings = SyncSettings(), through store: (any ObjectStore)? = nil, now: Date = SyncDevice.now,
        in place: String? = nil, filter: FolderFilter = FolderFilter(),
        flushing: @escaping @Sendable () throws(FileError) -> Void = {}
    ) async throws -> SyncSummary {
        let sync = makeSync(settings, through: store, now: now, filter: filter, flushing: flushing)
        return try await sync.run(folder: place ?? folder.path, report: { _ in })
    }

    /// Creates the sync that `sync` runs.
    func makeSync(
        _ settings: SyncSettings = SyncSettings(), through store: (any ObjectStore)? = nil, now: Date = SyncDevice.now,
        filter: FolderFilter = FolderFilter(), flushing: @escaping @Sendable () throws(FileError) -> Void = {}
    ) -> Sync {
        Sync(
            backup: backup(through: store, now: now, filter: filter),
            restore: Restore(store: store ?? self.store, user: .bob, pause: .none), settings: settings,
            randomness: .seeded(UInt64(tag.value)),
            flush: { [disk] _ throws(FileError) in
                try flushing()
                do { try disk.flush() } catch { throw .unsupported }
            })
    }

    /// Opens and locks the folder as a sync does.
    func lockFolder() throws -> LockedFolder {
        let opened = try OpenedFolder(
            folder.path, user: .bob, stateFolder: state.path, filter: FolderFilter(), destination: nil)
        return try LockedFolder(opened, user: .bob, stateFolder: state.path)
    }

    /// Backs up the folder without restoring anything.
    func backUp(through store: (any ObjectStore)? = nil) async throws -> BackupSummary {
        try await backup(through: store, now: SyncDevice.now, filter: FolderFilter()).run(
            folder: folder.path, report: { _ in })
    }

    private func backup(through store: (any ObjectStore)?, now: Date, filter: FolderFilter) -> Backup {
        var backing = BackupSettings()
        backing.filter = filter
        backing.checkedContents = 0
        backing.parallelFiles = 1...2
        return Backup(
            store: store ?? self.store, user: .bob, device: tag, stateFolder: state.path, settings: backing,
            pause: .none, now: { now })
    }

    /// Contents by path, without the library's own files.
    func photos() throws -> [String: [UInt8]] {
        var photos: [String: [UInt8]] = [:]
        for name in try folder.files() where !name.contains(".photolala") { photos[name] = try folder.read(name) }
        return photos
    }

    /// Contents in the folder's own trash.
    func trash() throws -> [[UInt8]] {
        try folder.files().filter { $0.hasPrefix(".photolala-trash/") }.map { try folder.read($0) }
    }

    func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: folder.subpath(name)) }

    func move(_ name: String, to other: String) throws {
        let target = folder.subpath(other)
        try FileManager.default.createDirectory(
            atPath: (target as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try FileManager.default.moveItem(atPath: folder.subpath(name), toPath: target)
    }

    /// Simulates a power failure that loses the last rows of the journal.
    func forgetLines(_ count: Int) throws {
        for name in try state.files() where name.hasPrefix("sync-") && name.hasSuffix(".journal") {
            let lines = try state.read(name).split(separator: UInt8(ascii: "\n"))
            let kept = lines.dropLast(count).flatMap { $0 + [UInt8(ascii: "\n")] }
            try state.write(name, kept)
        }
    }

    func forgetEverything() throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: state.path) {
            try FileManager.default.removeItem(atPath: state.subpath(name))
        }
    }
}

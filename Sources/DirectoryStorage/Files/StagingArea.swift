import Foundation
import ObjectStorage
import Secrets
import Synchronization

/// The folder of one opened store below `.incoming`. A lock shows that its process is alive: when the process ends in
/// any way, the lock is free, and the next store that opens the folder cleans up.
final class StagingArea: Sendable {
    static let folder = ".incoming"

    private static let lockName = "lock"

    let owner: String
    private let root: String
    private let lock: OpenFile
    private let counter = Atomic<UInt64>(0)

    /// Call it under the opening lock, so that no other process cleans the folder up before its lock is held.
    init(root: String, randomness: Randomness, folders: DurableFolders) throws(ObjectStoreError) {
        self.root = root
        owner = Hex.encode(randomness.bytes(16))
        try folders.ensure("\(Self.folder)/\(owner)")
        lock = try OpenFile.writing("\(root)/\(Self.folder)/\(owner)/\(Self.lockName)")
        guard lock.tryLock() else { throw .unavailable("staging folder \(owner) is locked by another process") }
    }

    func stage() throws(ObjectStoreError) -> StagedFile {
        let name = "\(owner)/\(counter.wrappingAdd(1, ordering: .relaxed).newValue)"
        return try StagedFile(name: name, path: Self.path(root: root, name: name))
    }

    /// Removes this owner's folder, unless a file in it is still an object's only copy. Call it under the opening
    /// lock, so that no store being opened finds a partly removed folder.
    func close() {
        let folder = "\(root)/\(Self.folder)/\(owner)"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        guard names.allSatisfy({ $0 == Self.lockName }) else { return }
        _ = unlink("\(folder)/\(Self.lockName)")
        _ = rmdir(folder)
    }

    static func path(root: String, name: String) -> String { "\(root)/\(folder)/\(name)" }

    static func owner(of name: String) -> Substring { name.prefix { $0 != "/" } }

    /// Returns the owners whose processes have ended, each with its lock held so that no other process cleans up the
    /// same folder.
    static func deadOwners(root: String) throws(ObjectStoreError) -> [(owner: String, lock: OpenFile)] {
        let folder = "\(root)/\(folder)"
        let owners: [String]
        do {
            owners = try FileManager.default.contentsOfDirectory(atPath: folder)
        } catch {
            throw .denied("cannot list \(folder)")
        }
        var dead = [(owner: String, lock: OpenFile)]()
        for owner in owners {
            // Ignores names other than the store's own, which are 32 hex digits.
            guard Hex.isLowercase(owner, count: 32) else { continue }
            let lock = try OpenFile.writing("\(folder)/\(owner)/\(lockName)")
            if lock.tryLock() { dead.append((owner, lock)) }
        }
        return dead
    }

    /// Whether a store has the folder open.
    static func hasLiveOwner(root: String) throws(ObjectStoreError) -> Bool {
        let dead = Set(try deadOwners(root: root).map(\.owner))
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(root)/\(folder)")) ?? []
        return names.contains { Hex.isLowercase($0, count: 32) && !dead.contains($0) }
    }

    /// Removes a dead owner's folder with its remaining files.
    static func remove(root: String, owner: String) {
        try? FileManager.default.removeItem(atPath: "\(root)/\(folder)/\(owner)")
    }
}

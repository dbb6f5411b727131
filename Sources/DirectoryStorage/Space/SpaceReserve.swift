import Foundation
import Logging
import ObjectStorage
import Synchronization

/// Refuses what users store before the disk is full, so that accounts and deletions can still be written.
///
/// Users' objects leave the whole reserve free, catalogs and profiles half of it: deleting photos writes a catalog. One
/// user gets a 32nd of the reserve below the whole, so that the others can delete too. Accounts may use all of it. For a disk that other programs fill to the last byte
/// there is the ballast, a file that gives its space to accounts and deletions.
final class SpaceReserve: Sendable {
    static let ballastName = ".ballast"

    private static let mostReserved: Int64 = 1 << 30
    /// One user may write the reserve divided by this below the whole reserve.
    private static let usersInReserve: Int64 = 32
    private static let mostBallast: Int64 = 16 << 20

    private let root: String
    private let settings: StorageReserve
    private let logger: Logger
    private let state = Mutex(State())

    private struct State {
        /// Bytes that admitted writes have not written yet.
        var pending: Int64 = 0
        var isReleased = false
        /// What each user was admitted to write below the whole reserve since that was last free, in bytes.
        var shares: [String: Int64] = [:]
    }

    init(root: String, settings: StorageReserve, logger: Logger) {
        self.root = root
        self.settings = settings
        self.logger = logger
    }

    var space: DiskSpace? { settings.probe(root) }

    /// Whether photos of any size are refused.
    var isLow: Bool { space.map { $0.available < reserved($0) } ?? false }

    /// Whether accounts and deletions are out of space, too.
    var isFull: Bool {
        guard let space else { return false }
        return space.available + ballastSize < least(space)
    }

    /// Below this many bytes, the ballast included, accounts are not taken to be writable.
    private func least(_ space: DiskSpace) -> Int64 { min(1 << 20, reserved(space) / 8) }

    /// Admits a user's write, or refuses it before its first byte.
    /// - Throws: `outOfSpace`.
    func admit(_ key: ObjectKey, size: Int64) throws(ObjectStoreError) -> SpaceClaim {
        let others = state.withLock { state in
            defer { state.pending += size }
            return state.pending
        }
        let claim = SpaceClaim(key: key, size: size, reserve: self)
        try check(key, beside: others + size)
        try takeShare(key, size, beside: others)
        return claim
    }

    /// Counts a write below the whole reserve as its user's.
    /// - Throws: `outOfSpace` where the user has written the most that one may.
    private func takeShare(_ key: ObjectKey, _ size: Int64, beside others: Int64) throws(ObjectStoreError) {
        guard let user = ObjectRouting.userDeleting(key), let space else { return }
        let reserved = reserved(space)
        let isAdmitted = state.withLock { state in
            if space.available >= reserved { state.shares = [:] }
            guard space.available - others - size < reserved else { return true }
            let share = (state.shares[user] ?? 0) + size
            guard share <= reserved / Self.usersInReserve else { return false }
            state.shares[user] = share
            return true
        }
        if !isAdmitted { throw .outOfSpace }
    }

    /// Throws `outOfSpace` where the key's share of the reserve is not free beside this many bytes.
    func check(_ key: ObjectKey, beside bytes: Int64) throws(ObjectStoreError) {
        guard DatabaseKind(key) == .users, let space else { return }
        let floor = ObjectRouting.userDeleting(key) == nil ? reserved(space) : reserved(space) / 2
        guard space.available - bytes >= floor else { throw .outOfSpace }
    }

    fileprivate func end(_ bytes: Int64) { state.withLock { $0.pending -= bytes } }

    private func reserved(_ space: DiskSpace) -> Int64 { settings.bytes ?? min(Self.mostReserved, space.total / 10) }

    // MARK: Ballast

    private var ballast: String { "\(root)/\(Self.ballastName)" }

    private var ballastSize: Int64 {
        var facts = stat()
        return stat(ballast, &facts) == 0 ? Int64(facts.st_size) : 0
    }

    /// Gives the ballast's space to the accounts; `false` where there is none.
    func release() -> Bool {
        guard unlink(ballast) == 0 else { return false }
        state.withLock { $0.isReleased = true }
        logger.error("The disk is full: the ballast was deleted so that accounts and deletions can be written")
        return true
    }

    /// Makes what opening a store needs free.
    func releaseIfFull() {
        if let space, space.available < least(space) { _ = release() }
    }

    /// Makes the ballast where there is none and the disk has the space again.
    func refill(always: Bool = false) {
        guard always || state.withLock({ $0.isReleased }), let space else { return }
        let size = min(Self.mostBallast, reserved(space) / 4)
        guard size > 0, ballastSize == 0, space.available >= reserved(space) + size else { return }
        do {
            try OpenFile.writing(ballast).allocate(size)
            state.withLock { $0.isReleased = false }
        } catch {
            _ = unlink(ballast)
            logger.warning("The ballast cannot be made", metadata: ["cause": "\(error)"])
        }
    }
}

/// A user's write that was admitted: what it has not written yet is kept free for it until it ends.
final class SpaceClaim: Sendable {
    private let key: ObjectKey
    private let reserve: SpaceReserve
    private let rest: Mutex<Int64>

    fileprivate init(key: ObjectKey, size: Int64, reserve: SpaceReserve) {
        self.key = key
        self.reserve = reserve
        rest = Mutex(size)
    }

    deinit { reserve.end(rest.withLock { $0 }) }

    /// Counts bytes that were written, and throws `outOfSpace` where others have used the reserve since.
    func wrote(_ count: Int64) throws(ObjectStoreError) {
        let ended = rest.withLock { rest in
            let ended = min(rest, count)
            rest -= ended
            return ended
        }
        reserve.end(ended)
        try reserve.check(key, beside: 0)
    }
}

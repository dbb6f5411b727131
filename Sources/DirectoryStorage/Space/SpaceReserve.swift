import Foundation
import Logging
import Monitoring
import ObjectStorage
import Synchronization

/// Rejects users' writes before the disk is full, so that accounts and deletions can still be written.
///
/// Users' objects leave the whole reserve free, and the ballast where that is missing, catalogs and profiles half of the reserve:
/// deleting photos writes a catalog. Below the whole, one user gets a 16th of what is left above the half, so that no number of
/// users takes all of it. Accounts may use all of the reserve. For a disk that other programs fill to the last byte there is the
/// ballast, a file that gives its space to accounts and deletions.
final class SpaceReserve: Sendable {
    static let ballastName = ".ballast"

    private static let maximumReserve: Int64 = 1 << 30
    /// One user may write this part of what is left above half of the reserve.
    private static let shares: Int64 = 16
    private static let maximumBallast: Int64 = 16 << 20

    private let root: String
    private let settings: StorageReserve
    private let logger: Logger
    private let state = Mutex(State())

    private struct State {
        /// Bytes of admitted writes that are not written yet.
        var pending: Int64 = 0
        /// Whether the ballast is made where it is missing; not after that failed, until the disk was low again.
        var makesBallast = true
        /// Whether the last user's write was refused.
        var isRefusing = false
        /// What each user was admitted to write below the whole reserve since that was last free, in bytes.
        var written: [String: Int64] = [:]
    }

    init(root: String, settings: StorageReserve, logger: Logger) {
        self.root = root
        self.settings = settings
        self.logger = logger
    }

    var space: DiskSpace? { settings.probe(root) }

    /// Whether photos of any size are refused.
    var isLow: Bool { space.map { $0.available < reserved($0) + missingBallast($0) } ?? false }

    /// Whether accounts and deletions are out of space, too.
    var isFull: Bool {
        guard let space else { return false }
        return space.available + ballastSize < minimumFree(space)
    }

    /// The free bytes, including the ballast, below which accounts are considered not writable.
    private func minimumFree(_ space: DiskSpace) -> Int64 { min(1 << 20, reserved(space) / 8) }

    /// Admits a user's write, or rejects it before its first byte.
    /// - Throws: `outOfSpace`.
    func admit(_ key: ObjectKey, size: Int64) throws(ObjectStoreError) -> SpaceReservation {
        let others = state.withLock { state in
            defer { state.pending += size }
            return state.pending
        }
        let reservation = SpaceReservation(key: key, size: size, reserve: self)
        guard DatabaseKind(key) == .users, let space else { return reservation }
        let isMissing = missingBallast(space) > 0
        try check(key, adding: others + size)
        try reserveShare(key, size, pending: others, space)
        if isMissing { refill() }
        return reservation
    }

    /// Counts a write below the whole reserve as its user's.
    /// - Throws: `outOfSpace` where the user has written the most that one may.
    private func reserveShare(
        _ key: ObjectKey, _ size: Int64, pending others: Int64, _ space: DiskSpace
    ) throws(ObjectStoreError) {
        guard let user = ObjectRouting.metadataOwner(key) else { return }
        let reserved = reserved(space)
        let left = space.available - others - reserved / 2
        let isAdmitted = state.withLock { state in
            if space.available >= reserved { state.written = [:] }
            guard space.available - others - size < reserved else { return true }
            let written = (state.written[user] ?? 0) + size
            guard written <= left / Self.shares else { return false }
            state.written[user] = written
            return true
        }
        if !isAdmitted { throw .outOfSpace }
    }

    /// Throws `outOfSpace` where the key's share of the reserve is not free in addition to this many bytes. Logs
    /// the first refusal, and the first write that is admitted after one.
    func check(_ key: ObjectKey, adding bytes: Int64) throws(ObjectStoreError) {
        guard DatabaseKind(key) == .users, let space else { return }
        let isDeleting = ObjectRouting.metadataOwner(key) != nil
        let floor = isDeleting ? reserved(space) / 2 : reserved(space) + missingBallast(space)
        let isRefused = space.available - bytes < floor
        // What deletions write has a floor of its own and says nothing about uploads.
        if !isDeleting { log(isRefused, space) }
        if isRefused { throw .outOfSpace }
    }

    private func log(_ isRefused: Bool, _ space: DiskSpace) {
        let hasChanged = state.withLock { state in
            defer { state.isRefusing = isRefused }
            return state.isRefusing != isRefused
        }
        guard hasChanged else { return }
        let facts: Logger.Metadata = ["available": "\(space.available)", "reserved": "\(reserved(space))"]
        if isRefused {
            logger.warning(.diskNearlyFull, "disk nearly full: uploads rejected", metadata: facts)
        } else {
            logger.notice(.diskRecovered, "uploads accepted again", metadata: facts)
        }
    }

    fileprivate func endWrite(_ bytes: Int64) { state.withLock { $0.pending -= bytes } }

    private func reserved(_ space: DiskSpace) -> Int64 { settings.bytes ?? min(Self.maximumReserve, space.total / 10) }

    // MARK: Ballast

    private var ballast: String { "\(root)/\(Self.ballastName)" }

    private var ballastSize: Int64 { ObjectIndex.size(ballast) }

    /// The size of a whole ballast, in bytes.
    private func wholeBallast(_ space: DiskSpace) -> Int64 { min(Self.maximumBallast, reserved(space) / 4) }

    /// What uploads leave free besides, so that the ballast can be made again.
    private func missingBallast(_ space: DiskSpace) -> Int64 {
        state.withLock { $0.makesBallast } ? max(0, wholeBallast(space) - ballastSize) : 0
    }

    /// Deletes the ballast to free its space for accounts and deletions.
    /// - Returns: `false` if there is no ballast.
    func release() -> Bool {
        guard unlink(ballast) == 0 else { return false }
        state.withLock { $0.makesBallast = true }
        logger.error(.diskFull, "disk full: ballast deleted to allow account changes and deletions")
        return true
    }

    /// Frees the space that opening a store needs.
    func releaseIfFull() {
        if let space, space.available < minimumFree(space) { _ = release() }
    }

    /// Makes the ballast where there is none and the disk has the space.
    func refill() {
        guard let space else { return }
        let size = wholeBallast(space)
        guard state.withLock({ $0.makesBallast }), size > 0, ballastSize == 0, space.available >= reserved(space) + size
        else { return }
        do {
            try OpenFile.writing(ballast).allocate(size)
        } catch {
            _ = unlink(ballast)
            state.withLock { $0.makesBallast = false }
            logger.warning(.ballastMissing, "creating the ballast failed", metadata: ["cause": "\(error)"])
        }
    }
}

/// An admitted write of a user. Its unwritten bytes are reserved until it ends.
final class SpaceReservation: Sendable {
    private let key: ObjectKey
    private let reserve: SpaceReserve
    private let remaining: Mutex<Int64>

    fileprivate init(key: ObjectKey, size: Int64, reserve: SpaceReserve) {
        self.key = key
        self.reserve = reserve
        remaining = Mutex(size)
    }

    deinit { reserve.endWrite(remaining.withLock { $0 }) }

    /// Counts written bytes.
    /// - Throws: `outOfSpace` if other writes have used the reserve since.
    func recordWritten(_ count: Int64) throws(ObjectStoreError) {
        let ended = remaining.withLock { remaining in
            let ended = min(remaining, count)
            remaining -= ended
            return ended
        }
        reserve.endWrite(ended)
        try reserve.check(key, adding: 0)
    }
}

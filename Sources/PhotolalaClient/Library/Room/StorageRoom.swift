import Foundation
import ObjectStorage
import PhotolalaAPI
import Synchronization

/// The room that an account has left, for one backup: looked at before bytes are sent, so that what cannot be stored is
/// not sent. The last word is the store's and the server's.
final class StorageRoom: Sendable {
    /// Nobody is asked again more often, in seconds.
    private static let trust: TimeInterval = 60

    private struct State {
        /// `nil` before the first upload.
        var usage: Usage?
        var askedAt = Date.distantPast
        /// What the server told when it had no room to reserve.
        var refusal: (used: Int64, limit: Int64)?
        /// After the store's refusal.
        var askedAgainAt = Date.distantPast
        /// Bytes that were sent since the count or are being sent.
        var sent: Int64 = 0
        /// Of them, those that are being sent.
        var underWay: Int64 = 0
    }

    private let ask: @Sendable (_ isCounting: Bool) async throws(PhotolalaError) -> Usage
    private let now: @Sendable () -> Date
    private let state = Mutex(State())
    private let calls = JoinedCalls<Bool, Void, Void, PhotolalaError>(most: .max)

    /// - Parameter ask: what is stored and what may be, if need be after a new count.
    init(
        ask: @escaping @Sendable (_ isCounting: Bool) async throws(PhotolalaError) -> Usage,
        now: @escaping @Sendable () -> Date
    ) {
        self.ask = ask
        self.now = now
    }

    /// How much is stored; `nil` where nothing was sent.
    var standing: StorageStanding? {
        state.withLock { state in
            guard let usage = state.usage else { return nil }
            let used = (usage.storageUsed ?? 0) + state.sent
            guard let refusal = state.refusal else {
                return StorageStanding(used: used, limit: usage.storageLimit, countedAt: usage.storageCountedAt)
            }
            return StorageStanding(used: max(used, refusal.used), limit: refusal.limit, countedAt: nil)
        }
    }

    /// Takes room for an upload, which must be ended.
    /// - Returns: how it comes to the store; `nil` for straight.
    /// - Throws: `quotaExceeded`, before a byte is sent; `unavailable` or `denied` where the server says nothing.
    func take(_ size: Int64) async throws(ObjectStoreError) -> UploadWay? {
        if state.withLock({ $0.usage == nil }) { try await askServer(isAgain: false) }
        if admit(size) { return way }
        if state.withLock({ now().timeIntervalSince($0.askedAt) >= Self.trust }) {
            try await askServer(isAgain: true)
            if admit(size) { return way }
        }
        throw .quotaExceeded
    }

    /// Notes what the server found when it had no room to reserve.
    func noteRefusal(used: Int64, limit: Int64) { state.withLock { $0.refusal = (used, limit) } }

    /// Notes that the store had no room: the report is to tell what there is.
    func noteRefusal() async {
        let isFirst = state.withLock { state in
            guard now().timeIntervalSince(state.askedAgainAt) >= Self.trust else { return false }
            (state.askedAgainAt, state.askedAt) = (now(), .distantPast)
            return true
        }
        // Without an answer the report tells what was known before.
        if isFirst { try? await askServer(isAgain: true) }
    }

    /// Ends an upload.
    func end(_ size: Int64, isStored: Bool) {
        state.withLock { state in
            state.underWay -= size
            if !isStored { state.sent -= size }
        }
    }

    private var way: UploadWay? { state.withLock { $0.usage?.uploads } }

    private func admit(_ size: Int64) -> Bool {
        state.withLock { state in
            guard let usage = state.usage else { return false }
            // Where room is reserved the server knows better.
            let fits =
                usage.access == .readWrite && (usage.storageUsed ?? 0) + state.sent + size <= usage.storageLimit
            guard fits || usage.uploads == .reserved else { return false }
            state.sent += size
            state.underWay += size
            return true
        }
    }

    /// Asks, unless another upload has just been told.
    private func askServer(isAgain: Bool) async throws(ObjectStoreError) {
        do {
            _ = try await calls.call([()], for: true) { (asking) async throws(PhotolalaError) in
                let time = now()
                let isKnown = state.withLock { state in
                    state.usage != nil && !(isAgain && time.timeIntervalSince(state.askedAt) >= Self.trust)
                }
                if !isKnown { note(try await ask(isAgain), askedAt: time) }
                return asking
            }
        } catch {
            throw error.isPassing ? .unavailable(error.detail) : .denied(error.detail)
        }
    }

    private func note(_ usage: Usage, askedAt time: Date) {
        state.withLock { state in
            // A new count has what was sent before it; what came while it went on is counted at the next one.
            if let known = state.usage, known.storageCountedAt != usage.storageCountedAt { state.sent = state.underWay }
            (state.usage, state.askedAt) = (usage, time)
        }
    }
}

import Foundation
import ObjectStorage
import PhotolalaAPI
import Synchronization

/// The quota headroom of an account for one backup. It is checked before bytes are sent, so that data that does not fit
/// is not sent. The store and the server make the final decision.
final class StorageRoom: Sendable {
    /// The minimum interval between two requests for the usage, in seconds.
    private static let trust: TimeInterval = 60

    private struct State {
        /// The last usage; `nil` before the first upload.
        var usage: Usage?
        var askedAt = Date.distantPast
        /// The usage that the server reported when it rejected a reservation.
        var refusal: (used: Int64, limit: Int64)?
        /// When the usage was last requested after a rejection by the store.
        var askedAgainAt = Date.distantPast
        /// Bytes that were sent since the count or are being sent.
        var sent: Int64 = 0
        /// The part of `sent` that is still being sent.
        var underWay: Int64 = 0
    }

    private let ask: @Sendable (_ isCounting: Bool) async throws(PhotolalaError) -> Usage
    private let now: @Sendable () -> Date
    private let state = Mutex(State())
    private let calls = JoinedCalls<Bool, Void, Void, PhotolalaError>(most: .max)

    /// - Parameter ask: Returns the current usage, after a new count if `isCounting` is set.
    init(
        ask: @escaping @Sendable (_ isCounting: Bool) async throws(PhotolalaError) -> Usage,
        now: @escaping @Sendable () -> Date
    ) {
        self.ask = ask
        self.now = now
    }

    /// The account's storage usage; `nil` if nothing was sent.
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

    /// Consumes quota headroom for an upload, which the caller must end with `end(_:isStored:)`.
    /// - Returns: How the upload is sent; `nil` for a direct write.
    /// - Throws: `quotaExceeded` before a byte is sent; `unavailable` or `denied` if the server does not report the
    ///   usage.
    func take(_ size: Int64) async throws(ObjectStoreError) -> UploadWay? {
        if state.withLock({ $0.usage == nil }) { try await askServer(isAgain: false) }
        if admit(size) { return way }
        if state.withLock({ now().timeIntervalSince($0.askedAt) >= Self.trust }) {
            try await askServer(isAgain: true)
            if admit(size) { return way }
        }
        throw .quotaExceeded
    }

    /// Records the usage that the server reported when it rejected a reservation.
    func noteRefusal(used: Int64, limit: Int64) { state.withLock { $0.refusal = (used, limit) } }

    /// Records that the store rejected an upload for lack of quota, and requests the usage for the report.
    func noteRefusal() async {
        let isFirst = state.withLock { state in
            guard now().timeIntervalSince(state.askedAgainAt) >= Self.trust else { return false }
            (state.askedAgainAt, state.askedAt) = (now(), .distantPast)
            return true
        }
        // Without a response, the report contains the last known values.
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
            // For reserved uploads, the server makes the decision.
            let fits =
                usage.access == .readWrite && (usage.storageUsed ?? 0) + state.sent + size <= usage.storageLimit
            guard fits || usage.uploads == .reserved else { return false }
            state.sent += size
            state.underWay += size
            return true
        }
    }

    /// Requests the usage, unless another upload has just received it.
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
            // A new count includes everything sent before it. Uploads in progress are included in the next count.
            if let known = state.usage, known.storageCountedAt != usage.storageCountedAt { state.sent = state.underWay }
            (state.usage, state.askedAt) = (usage, time)
        }
    }
}

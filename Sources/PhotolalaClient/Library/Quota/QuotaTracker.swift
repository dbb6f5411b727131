import Foundation
import ObjectStorage
import PhotolalaAPI
import Synchronization

/// The quota headroom of an account for one backup. It is checked before bytes are sent, so that data that does not fit
/// is not sent. The store and the server make the final decision.
final class QuotaTracker: Sendable {
    /// The minimum interval between two requests for the usage, in seconds.
    private static let usageLifetime: TimeInterval = 60

    private struct State {
        /// The last usage; `nil` before the first upload.
        var usage: Usage?
        var fetchedAt = Date.distantPast
        /// The usage that the server reported when it rejected a reservation.
        var refusal: (used: Int64, limit: Int64)?
        /// When the usage was last requested after a rejection by the store.
        var refetchedAt = Date.distantPast
        /// Bytes that were sent since the count or are being sent.
        var sentBytes: Int64 = 0
        /// The part of `sent` that is still being sent.
        var bytesInFlight: Int64 = 0
    }

    private let fetchUsage: @Sendable (_ isCounting: Bool) async throws(PhotolalaError) -> Usage
    private let now: @Sendable () -> Date
    private let state = Mutex(State())
    private let calls = CallCoalescer<Bool, Void, Void, PhotolalaError>(maximumItems: .max)

    /// - Parameter fetchUsage: Returns the current usage, after a new count if `isCounting` is set.
    init(
        fetchUsage: @escaping @Sendable (_ isCounting: Bool) async throws(PhotolalaError) -> Usage,
        now: @escaping @Sendable () -> Date
    ) {
        self.fetchUsage = fetchUsage
        self.now = now
    }

    /// The account's storage usage; `nil` if nothing was sent.
    var storageUsage: StorageUsage? {
        state.withLock { state in
            guard let usage = state.usage else { return nil }
            let used = (usage.storageUsed ?? 0) + state.sentBytes
            guard let refusal = state.refusal else {
                return StorageUsage(used: used, limit: usage.storageLimit, countedAt: usage.storageCountedAt)
            }
            return StorageUsage(used: max(used, refusal.used), limit: refusal.limit, countedAt: nil)
        }
    }

    /// Consumes quota headroom for an upload, which the caller must end with `finishUpload(_:isStored:)`.
    /// - Returns: How the upload is sent; `nil` for a direct write.
    /// - Throws: `quotaExceeded` before a byte is sent; `unavailable` or `denied` if the server does not report the
    ///   usage.
    func reserve(_ size: Int64) async throws(ObjectStoreError) -> UploadMethod? {
        if state.withLock({ $0.usage == nil }) { try await refreshUsage(isCounting: false) }
        if admit(size) { return uploadMethod }
        if state.withLock({ now().timeIntervalSince($0.fetchedAt) >= Self.usageLifetime }) {
            try await refreshUsage(isCounting: true)
            if admit(size) { return uploadMethod }
        }
        throw .quotaExceeded
    }

    /// Records the usage that the server reported when it rejected a reservation.
    func recordRefusal(used: Int64, limit: Int64) { state.withLock { $0.refusal = (used, limit) } }

    /// Records that the store rejected an upload for lack of quota, and requests the usage for the report.
    func recordRefusal() async {
        let isFirst = state.withLock { state in
            guard now().timeIntervalSince(state.refetchedAt) >= Self.usageLifetime else { return false }
            (state.refetchedAt, state.fetchedAt) = (now(), .distantPast)
            return true
        }
        // Without a response, the report contains the last known values.
        if isFirst { try? await refreshUsage(isCounting: true) }
    }

    /// Ends an upload.
    func finishUpload(_ size: Int64, isStored: Bool) {
        state.withLock { state in
            state.bytesInFlight -= size
            if !isStored { state.sentBytes -= size }
        }
    }

    private var uploadMethod: UploadMethod? { state.withLock { $0.usage?.uploads } }

    private func admit(_ size: Int64) -> Bool {
        state.withLock { state in
            guard let usage = state.usage else { return false }
            // For reserved uploads, the server makes the decision.
            let fits =
                usage.access == .readWrite && (usage.storageUsed ?? 0) + state.sentBytes + size <= usage.storageLimit
            guard fits || usage.uploads == .reserved else { return false }
            state.sentBytes += size
            state.bytesInFlight += size
            return true
        }
    }

    /// Requests the usage, unless another upload has just received it.
    private func refreshUsage(isCounting: Bool) async throws(ObjectStoreError) {
        do {
            _ = try await calls.call([()], for: true) { (callers) async throws(PhotolalaError) in
                let time = now()
                let isKnown = state.withLock { state in
                    state.usage != nil && !(isCounting && time.timeIntervalSince(state.fetchedAt) >= Self.usageLifetime)
                }
                if !isKnown { recordUsage(try await fetchUsage(isCounting), requestedAt: time) }
                return callers
            }
        } catch {
            throw error.isTransient ? .unavailable(error.detail) : .denied(error.detail)
        }
    }

    private func recordUsage(_ usage: Usage, requestedAt time: Date) {
        state.withLock { state in
            // A new count includes everything sent before it. Uploads in progress are included in the next count.
            if let known = state.usage, known.storageCountedAt != usage.storageCountedAt {
                state.sentBytes = state.bytesInFlight
            }
            (state.usage, state.fetchedAt) = (usage, time)
        }
    }
}

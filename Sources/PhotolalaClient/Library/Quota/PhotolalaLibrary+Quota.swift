import ObjectStorage
import PhotolalaAPI

extension PhotolalaLibrary {
    /// The number of times a backup waits for a server that limits its calls.
    private static let maximumRetries = 30

    /// Returns the photo store to which a backup writes.
    func uploads(to store: any ObjectStore, of user: UserID) -> PhotoUploads {
        let session = session.limited(to: user)
        let quota = QuotaTracker(
            fetchUsage: { isCounting throws(PhotolalaError) in
                // When the limit is near, the server recounts the usage before it issues credentials.
                if isCounting { _ = try await session.credentials() }
                return try await session.usage()
            }, now: now)
        return PhotoUploads(
            store, user: user, quota: quota,
            reserve: { [self] requests throws(PhotolalaError) in try await reserve(requests, session) },
            send: sendReserved,
            now: now)
    }

    private func reserve(
        _ requests: [UploadRequest], _ session: PhotolalaSession
    ) async throws(PhotolalaError) -> ReservedUploads {
        var waits = 0
        while true {
            do throws(PhotolalaError) {
                return try await session.reserve(requests)
            } catch {
                guard error.code == .rateLimited, waits < Self.maximumRetries, !Task.isCancelled else { throw error }
                waits += 1
                await pause.wait(attempt: 1, atLeast: .seconds(min(error.retryAfter ?? 1, 60)))
            }
        }
    }
}

import ObjectStorage
import PhotolalaAPI

extension PhotolalaLibrary {
    /// How often a backup waits for a server that wants fewer calls.
    private static let waits = 30

    /// The photo store as a backup writes to it.
    func uploads(to store: any ObjectStore, of user: UserID) -> PhotoUploads {
        let room = StorageRoom(
            ask: { [session] isCounting throws(PhotolalaError) in
                // Before it gives credentials the server counts anew where the limit is near.
                if isCounting { _ = try await session.credentials() }
                return try await session.usage()
            }, now: now)
        return PhotoUploads(
            store, user: user, room: room,
            reserve: { [self] requests throws(PhotolalaError) in try await reserve(requests) }, send: sendReserved,
            now: now)
    }

    private func reserve(_ requests: [UploadRequest]) async throws(PhotolalaError) -> [ReservedUpload?] {
        var waits = 0
        while true {
            do throws(PhotolalaError) {
                let uploads = try await session.reserve(requests)
                guard uploads.count == requests.count else {
                    throw PhotolalaError(code: .internalError, detail: "The server answered for other uploads.")
                }
                return uploads
            } catch {
                guard error.code == .rateLimited, waits < Self.waits, !Task.isCancelled else { throw error }
                waits += 1
                await pause.wait(attempt: 1, atLeast: .seconds(min(error.retryAfter ?? 1, 60)))
            }
        }
    }
}

import Foundation
import ObjectStorage
import PhotoSync
import PhotolalaAPI

extension PhotolalaLibrary {
    private static let attemptsToOpen = 5

    /// Opens the queue of the signed-in user's uploads in the background.
    func backgroundUploads(
        of user: UserID, over transfer: any BackgroundTransfer, inbox: BackgroundInbox, limits: BackgroundLimits
    ) async throws(PhotolalaError) -> BackgroundUploads {
        let (owner, store) = try await open(for: .backingUp)
        guard owner == user else { throw .notSignedIn }
        let (session, stateFolder, pause, now) = (session.limited(to: user), stateFolder, pause, now)
        let device = try await session.catalogTag()
        let make: @Sendable () throws(FileError) -> BackgroundUploads = { () throws(FileError) in
            try BackgroundUploads(
                in: stateFolder, user: user, device: device, store: store, pause: pause, transfer: transfer,
                inbox: inbox, limits: limits,
                reserve: { requests throws(BackgroundStop) in
                    do throws(PhotolalaError) {
                        let reserved = try await session.reserve(requests.uploads, lifetime: requests.lifetime)
                        for case .some(let upload) in reserved.uploads {
                            _ = try session.server.checkedPhotoStore(at: upload.url)
                        }
                        return reserved
                    } catch {
                        throw .reservation(code: error.code.rawValue, detail: error.detail)
                    }
                }, now: now)
        }
        var attempt = 1
        while true {
            do throws(FileError) {
                return try await FileWork.run(make)
            } catch {
                // An earlier process of the app may be about to end.
                guard error == .exists, attempt < Self.attemptsToOpen else {
                    throw PhotolalaError(BackgroundStop.file(error))
                }
                await pause.wait(attempt: attempt)
                attempt += 1
            }
        }
    }
}

extension PhotolalaError {
    init(_ stop: BackgroundStop) {
        switch stop {
        case .file(let error):
            self.init(
                code: .localStorageFailed, detail: "Cannot use the queue of uploads: \(error.message).",
                cause: FailureCause(error))
        case .store(let error): self.init(error)
        case .catalog(let error): self.init(error)
        case .reservation(let code, let detail): self.init(code: ErrorCode(rawValue: code), detail: detail)
        case .quotaExceeded: self.init(TransferStop.overQuota)
        case .transfer(let detail):
            self.init(code: .temporarilyUnavailable, detail: "The system started no upload: \(detail).")
        }
    }
}

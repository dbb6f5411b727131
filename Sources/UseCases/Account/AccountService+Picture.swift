import Accounts
import NIOCore
import PhotolalaAPI

extension AccountService {
    /// Returns the version of the caller's picture; `nil` if there is none. No request.
    package func pictureVersion(of caller: Caller) -> String? { caller.account.value.pictureVersion }

    /// Returns the caller's picture. One read.
    /// - Throws: `notFound` for another account, and without a picture.
    package func picture(_ id: UserID, caller: Caller) async throws(ServiceError) -> ProfilePicture {
        guard id == caller.user, let bytes = try await mapServiceErrors({ try await pictures.load(id) }) else {
            throw .notFound
        }
        do {
            return try ProfilePicture(bytes)
        } catch {
            throw .internal("stored picture: \(error)")
        }
    }

    /// Replaces the caller's picture. At least six requests.
    /// - Throws: `storageReadOnly` while the account is being deleted; `invalidRequest` for anything but a picture.
    /// - Returns: The version of the new picture.
    package func replacePicture(
        _ id: UserID, with bytes: ByteBuffer, if condition: ProfileCondition, caller: Caller
    ) async throws(ServiceError) -> String {
        try requireWritable(id, caller)
        let picture: ProfilePicture
        do {
            picture = try ProfilePicture(bytes)
        } catch {
            throw .invalidRequest(error.explanation)
        }
        try await change(id, to: picture.bytes, if: condition)
        return picture.version
    }

    /// Removes the caller's picture. Without one, nothing changes.
    /// - Throws: `storageReadOnly` while the account is being deleted.
    package func removePicture(
        _ id: UserID, if condition: ProfileCondition, caller: Caller
    ) async throws(ServiceError) {
        try requireWritable(id, caller)
        try await change(id, to: nil, if: condition)
    }

    private func requireWritable(_ id: UserID, _ caller: Caller) throws(ServiceError) {
        guard id == caller.user else { throw .notFound }
        guard caller.account.value.state != .deleting else { throw .storageReadOnly }
    }

    private func change(
        _ id: UserID, to bytes: ByteBuffer?, if condition: ProfileCondition
    ) async throws(ServiceError) {
        try await mapServiceErrors {
            try await pictures.replace(by: bytes, for: id, if: condition)
            try await recordPicture(of: id)
        }
    }

    /// Copies the version of the stored picture to the account document. Of simultaneous changes the last one that
    /// writes the document finds if another picture was stored in between.
    private func recordPicture(of id: UserID) async throws {
        var version = try await storedVersion(of: id)
        for _ in 0..<accounts.retry.attempts {
            try await accounts.recordPicture(version, of: id)
            let current = try await storedVersion(of: id)
            guard current != version else { return }
            version = current
        }
        throw ProfileError.contended
    }

    private func storedVersion(of id: UserID) async throws(ProfileError) -> String? {
        try await pictures.load(id).map(ProfilePictures.version)
    }
}

import Foundation
import PhotolalaAPI

/// The stored session and pending identity of the device. Every change is atomic for all processes that share the
/// profile, so that a late response cannot restore a session that was signed out.
struct SessionVault: Sendable {
    let storage: any SecretStorage
    let lock: FileLock

    private static let sessionName = "session"
    private static let pendingName = "pending-identity"

    func load() throws(PhotolalaError) -> StoredSession? { try value(Self.sessionName) }

    func pendingIdentity() throws(PhotolalaError) -> StoredPendingIdentity? { try value(Self.pendingName) }

    /// Stores the session of a new sign-in, unless another account is signed in. The pending identity is kept, so that the
    /// account can link it, unless it opened the session.
    /// - Parameter ended: A session of another account that may be replaced.
    /// - Returns: Whether it was stored.
    func adopt(
        _ session: StoredSession, over ended: StoredSession?, usedPendingIdentity: Bool
    ) throws(PhotolalaError) -> Bool {
        try withLock { () throws(SecretStorageError) in
            if let found: StoredSession = try storedValue(Self.sessionName), found != ended {
                guard found.user == session.user, found.server == session.server else { return false }
            }
            try storage.save(encoded(session), as: Self.sessionName)
            if usedPendingIdentity { try storage.delete(Self.pendingName) }
            return true
        }
    }

    /// Stores the next tokens of a session, if the stored refresh token is still the old one. An access token that an
    /// authentication has replaced in the meantime is kept.
    /// - Returns: The session that was stored; `nil` if another one is.
    func replace(_ old: StoredSession, with next: StoredSession) throws(PhotolalaError) -> StoredSession? {
        try withLock { () throws(SecretStorageError) in
            guard let stored = try storage.load(Self.sessionName).flatMap(decoded(StoredSession.self)),
                stored.continues(old)
            else { return nil }
            let merged = stored == old ? next : next.keepingAccessToken(of: stored)
            try storage.save(encoded(merged), as: Self.sessionName)
            return merged
        }
    }

    /// Removes a session, if it is still the stored one.
    func forget(_ old: StoredSession) throws(PhotolalaError) {
        try withLock { () throws(SecretStorageError) in
            if try isStored(old) { try storage.delete(Self.sessionName) }
        }
    }

    /// Removes the stored session with the pending identity and returns it. A session that cannot be read is removed, too.
    /// - Parameter user: The account whose session is removed; `nil` for any.
    func removeSession(of user: UserID?) throws(PhotolalaError) -> StoredSession? {
        try withLock { () throws(SecretStorageError) in
            let removed = try? storage.load(Self.sessionName).flatMap(decoded(StoredSession.self))
            if let user, let removed, removed.user != user { return nil }
            try storage.delete(Self.sessionName)
            try storage.delete(Self.pendingName)
            return removed
        }
    }

    /// Removes a session that has ended with the pending identity, if it is still the stored one.
    func removeEnded(_ session: StoredSession) throws(PhotolalaError) {
        try withLock { () throws(SecretStorageError) in
            guard let stored: StoredSession = try storedValue(Self.sessionName), stored.continues(session) else {
                return
            }
            try storage.delete(Self.sessionName)
            try storage.delete(Self.pendingName)
        }
    }

    func storePending(_ pending: StoredPendingIdentity) throws(PhotolalaError) {
        try withLock { () throws(SecretStorageError) in try storage.save(encoded(pending), as: Self.pendingName) }
    }

    /// Removes the ID of this device from a storage that outlives the profile's folder.
    func forgetDevice() throws(PhotolalaError) {
        try withLock { () throws(SecretStorageError) in try KeptDeviceID.delete(in: storage) }
    }

    func forgetPendingIdentity() throws(PhotolalaError) {
        try withLock { () throws(SecretStorageError) in try storage.delete(Self.pendingName) }
    }

    /// Removes a session of another server and returns it.
    func removeSession(unlessAt server: String) throws(PhotolalaError) -> StoredSession? {
        try withLock { () throws(SecretStorageError) in
            guard let stored: StoredSession = try storedValue(Self.sessionName), stored.server != server else {
                return nil
            }
            try storage.delete(Self.sessionName)
            return stored
        }
    }

    /// Removes values that cannot be opened.
    /// - Returns: Why each removed value was unusable.
    func forgetUnusable() throws(PhotolalaError) -> [SecretStorageError] {
        try withLock { () throws(SecretStorageError) in
            var reasons: [SecretStorageError] = []
            for name in [Self.sessionName, Self.pendingName] {
                do throws(SecretStorageError) {
                    if name == Self.sessionName {
                        let _: StoredSession? = try storedValue(name)
                    } else {
                        let _: StoredPendingIdentity? = try storedValue(name)
                    }
                } catch {
                    guard error.isUnusable else { throw error }
                    try storage.delete(name)
                    reasons.append(error)
                }
            }
            return reasons
        }
    }

    private func isStored(_ session: StoredSession) throws(SecretStorageError) -> Bool {
        try storage.load(Self.sessionName).flatMap(decoded(StoredSession.self)) == session
    }

    private func value<Value: Decodable>(_ name: String) throws(PhotolalaError) -> Value? {
        do throws(SecretStorageError) { return try storedValue(name) } catch { throw PhotolalaError(local: error) }
    }

    private func storedValue<Value: Decodable>(_ name: String) throws(SecretStorageError) -> Value? {
        guard let bytes = try storage.load(name) else { return nil }
        guard let value = decoded(Value.self)(bytes) else {
            throw SecretStorageError(
                detail: "The stored session is damaged.", isUnusable: true, cause: FailureCause(.localFileDamaged))
        }
        return value
    }

    private func withLock<Result>(
        _ body: () throws(SecretStorageError) -> Result
    ) throws(PhotolalaError) -> Result {
        do throws(SecretStorageError) {
            return try lock.withLock(body)
        } catch {
            throw PhotolalaError(local: error)
        }
    }

    private func decoded<Value: Decodable>(_ type: Value.Type) -> (Data) -> Value? {
        { try? WireJSON.decoder().decode(type, from: $0) }
    }

    private func encoded(_ value: some Encodable) throws(SecretStorageError) -> Data {
        do {
            return try WireJSON.encoder().encode(value)
        } catch {
            throw SecretStorageError(detail: "Cannot store the session.")
        }
    }
}

/// A pending identity with the only server that accepts it.
struct StoredPendingIdentity: Codable, Sendable, Equatable {
    let server: String
    let identity: PendingIdentity
    /// The name and the user's ID that the provider gave the app with it.
    var fullName: String?
    var provider: ProviderIdentity?
}

import Foundation
import PhotolalaAPI

/// The device's session and pending identity where they are kept. Every change is one step for all processes that
/// share the profile, so that an answer that comes late cannot put back what was signed out meanwhile.
struct SessionVault: Sendable {
    let storage: any SecretStorage
    let lock: FileLock

    private static let sessionName = "session"
    private static let pendingName = "pending-identity"

    func load() throws(PhotolalaError) -> StoredSession? { try value(Self.sessionName) }

    func pendingIdentity() throws(PhotolalaError) -> StoredPendingIdentity? { try value(Self.pendingName) }

    /// Keeps the session of a fresh sign-in, whatever was there. The pending identity stays, for the account to link,
    /// unless it was what opened the session.
    func adopt(_ session: StoredSession, spentPendingIdentity: Bool) throws(PhotolalaError) {
        try locally { () throws(SecretStorageError) in
            try storage.save(encoded(session), as: Self.sessionName)
            if spentPendingIdentity { try storage.delete(Self.pendingName) }
        }
    }

    /// Keeps the next tokens of a session, if it is still the one.
    /// - Returns: whether it was.
    func replace(_ old: StoredSession, with next: StoredSession) throws(PhotolalaError) -> Bool {
        try locally { () throws(SecretStorageError) in
            guard try same(old) else { return false }
            try storage.save(encoded(next), as: Self.sessionName)
            return true
        }
    }

    /// Forgets a session, if it is still the one.
    func forget(_ old: StoredSession) throws(PhotolalaError) {
        try locally { () throws(SecretStorageError) in
            if try same(old) { try storage.delete(Self.sessionName) }
        }
    }

    /// Forgets whatever session there is and gives it back. One that cannot be read is forgotten too.
    func take() throws(PhotolalaError) -> StoredSession? {
        try locally { () throws(SecretStorageError) in
            let taken = try? storage.load(Self.sessionName).flatMap(decoded(StoredSession.self))
            try storage.delete(Self.sessionName)
            try storage.delete(Self.pendingName)
            return taken
        }
    }

    func keep(_ pending: StoredPendingIdentity) throws(PhotolalaError) {
        try locally { () throws(SecretStorageError) in try storage.save(encoded(pending), as: Self.pendingName) }
    }

    func forgetPendingIdentity() throws(PhotolalaError) {
        try locally { () throws(SecretStorageError) in try storage.delete(Self.pendingName) }
    }

    /// Forgets what cannot be opened.
    /// - Returns: why, a sentence each.
    func forgetUnusable() throws(PhotolalaError) -> [String] {
        try locally { () throws(SecretStorageError) in
            var reasons: [String] = []
            for name in [Self.sessionName, Self.pendingName] {
                do throws(SecretStorageError) {
                    if name == Self.sessionName {
                        let _: StoredSession? = try kept(name)
                    } else {
                        let _: StoredPendingIdentity? = try kept(name)
                    }
                } catch {
                    guard error.isUnusable else { throw error }
                    try storage.delete(name)
                    reasons.append(error.detail)
                }
            }
            return reasons
        }
    }

    private func same(_ session: StoredSession) throws(SecretStorageError) -> Bool {
        try storage.load(Self.sessionName).flatMap(decoded(StoredSession.self)) == session
    }

    private func value<Value: Decodable>(_ name: String) throws(PhotolalaError) -> Value? {
        do throws(SecretStorageError) { return try kept(name) } catch { throw PhotolalaError(local: error) }
    }

    private func kept<Value: Decodable>(_ name: String) throws(SecretStorageError) -> Value? {
        guard let bytes = try storage.load(name) else { return nil }
        guard let value = decoded(Value.self)(bytes) else {
            throw SecretStorageError(detail: "What this device kept of its session is damaged.", isUnusable: true)
        }
        return value
    }

    private func locally<Result>(
        _ act: () throws(SecretStorageError) -> Result
    ) throws(PhotolalaError) -> Result {
        do throws(SecretStorageError) {
            return try lock.alone(act)
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
            throw SecretStorageError(detail: "The session cannot be written.")
        }
    }
}

/// A pending identity with the only server it is good for.
struct StoredPendingIdentity: Codable, Sendable, Equatable {
    let server: String
    let identity: PendingIdentity
}

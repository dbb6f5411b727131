import Foundation
import PhotolalaAPI
import StorageAccess

/// The cache key of storage credentials: one session and an access level.
struct CredentialKey: Hashable, Sendable {
    let session: SessionID
    let access: StorageAccessLevel
}

/// Storage credentials that sign links until they are renewed.
struct CachedCredentials: Sendable {
    let credentials: StorageCredentials
    let renewal: Date
}

extension StorageAccessService {
    /// Returns storage credentials of the caller, which are cached and never leave the service.
    /// - Parameter access: the access level; the account's own if `nil`.
    func cachedCredentials(
        _ caller: Caller, access: StorageAccessLevel? = nil
    ) async throws(ServiceError) -> StorageCredentials {
        let own = try self.access(of: caller)
        let key = CredentialKey(session: caller.session.id, access: access ?? own)
        if let held = cache.credentials(key), now() < held.renewal { return held.credentials }
        let credentials = try await issue(key.access, to: caller, for: Self.cachedCredentialLifetime)
        // Near the session's end credentials cannot last longer; the minimum of a minute avoids new ones for each page.
        let renewal = max(
            credentials.expiration.addingTimeInterval(-PresignedURLValidity.maximumDuration),
            min(credentials.expiration, now().addingTimeInterval(60)))
        cache.store(CachedCredentials(credentials: credentials, renewal: renewal), for: key)
        return credentials
    }

    /// The lifetime of cached credentials, in seconds. Only links leave the service, and they expire far sooner.
    private static var cachedCredentialLifetime: TimeInterval { 3600 }
}

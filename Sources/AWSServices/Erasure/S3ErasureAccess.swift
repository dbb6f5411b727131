import Foundation
import ObjectStorage
import PhotolalaAPI
import S3Protocol
import StorageAccess
import Transport

/// Erases users' objects in a bucket with sessions of a role of its own, each restricted to one user.
package struct S3ErasureAccess: ErasureAccess {
    /// The keys in one session: their names must fit into a session policy twice.
    static let keysPerSession = 2

    private let settings: S3Settings
    private let role: RoleARN?
    private let tokenService: STSExchange
    private let credentials: any CredentialSource
    private let transport: any HTTPTransport
    private let pause: Backoff
    private let now: @Sendable () -> Date

    /// - Parameters:
    ///   - role: the role whose sessions erase; `nil` to use the service's own credentials, which then must be able to.
    ///   - tokenService: the token service and the bucket.
    ///   - credentials: the service's own credentials, which the role must trust.
    package init(
        settings: S3Settings, role: RoleARN?, tokenService: STSSettings, credentials: any CredentialSource,
        transport: any HTTPTransport, pause: Backoff, now: @escaping @Sendable () -> Date
    ) {
        self.settings = settings
        self.role = role
        self.credentials = credentials
        self.transport = transport
        self.pause = pause
        self.now = now
        self.tokenService = STSExchange(
            settings: tokenService, credentials: credentials, transport: transport, pause: pause, now: now)
    }

    package func erasure(of user: UserID) async throws(CredentialIssuerError) -> any StoreErasure {
        let isAWS = tokenService.settings.endpoint.isAWS
        return S3Erasure(exchange(with: try await session(ErasurePolicy(of: user, listingAll: !isAWS), of: user)))
    }

    package func erasure(of user: UserID, keys: [ObjectKey]) async throws(CredentialIssuerError) -> any StoreErasure {
        guard role != nil else { return S3Erasure(exchange(with: credentials)) }
        var parts: [(keys: Set<ObjectKey>, erasure: S3Erasure)] = []
        for start in stride(from: 0, to: keys.count, by: Self.keysPerSession) {
            let some = Array(keys[start..<min(start + Self.keysPerSession, keys.count)])
            let erasure = S3Erasure(exchange(with: try await session(ErasurePolicy(keys: some), of: user)))
            parts.append((Set(some), erasure))
        }
        return S3KeyErasure(parts)
    }

    package var keepsVersions: Bool { true }

    package func eraseDeletedData(of user: UserID) {}

    private func session(
        _ policy: ErasurePolicy, of user: UserID
    ) async throws(CredentialIssuerError) -> any CredentialSource {
        guard let role else { return credentials }
        let request = try AssumeRoleRequest(
            erasing: policy, of: user, role: role, bucket: tokenService.settings.bucketARN)
        // A user with many old versions takes longer than a session.
        return RenewingCredentials(initial: try await tokenService.perform(request), now: now) {
            [tokenService] () async throws(CredentialError) in
            do throws(CredentialIssuerError) {
                return try await tokenService.perform(request)
            } catch {
                switch error {
                case .unavailable(let reason): throw .unavailable(reason)
                case .refused(let reason): throw .refused(reason)
                }
            }
        }
    }

    private func exchange(with credentials: any CredentialSource) -> S3Exchange {
        S3Exchange(settings: settings, credentials: credentials, transport: transport, pause: pause, now: now)
    }
}

/// Erases single objects, each with the session that may.
struct S3KeyErasure: StoreErasure {
    private let parts: [(keys: Set<ObjectKey>, erasure: S3Erasure)]

    init(_ parts: [(keys: Set<ObjectKey>, erasure: S3Erasure)]) { self.parts = parts }

    func count(below prefix: String, except kept: Set<ObjectKey>) throws(ObjectStoreError) -> ErasedObjects {
        throw .denied("access to single objects only")
    }

    func erase(below prefix: String, except kept: Set<ObjectKey>) throws(ObjectStoreError) {
        throw .denied("access to single objects only")
    }

    func count(
        _ key: ObjectKey, keepingCurrent isCurrentKept: Bool
    ) async throws(ObjectStoreError) -> ErasedObjects {
        try await erasure(of: key).count(key, keepingCurrent: isCurrentKept)
    }

    func erase(_ key: ObjectKey, keepingCurrent isCurrentKept: Bool) async throws(ObjectStoreError) {
        try await erasure(of: key).erase(key, keepingCurrent: isCurrentKept)
    }

    private func erasure(of key: ObjectKey) throws(ObjectStoreError) -> S3Erasure {
        guard let part = parts.first(where: { $0.keys.contains(key) }) else {
            throw .denied("no session for the object")
        }
        return part.erasure
    }
}

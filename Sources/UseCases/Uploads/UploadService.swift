import Foundation
import Monitoring
import ObjectStorage
import PhotoCatalog
import PhotolalaAPI
import Sessions
import StorageAccess

/// Reserves quota for uploads and signs their PUTs.
package struct UploadService: Sendable {
    let reservations: UploadReservations
    let links: any ObjectURLSigner
    let storageAccess: StorageAccessService
    let usageService: UsageService
    let sessions: SessionIssuer
    let tiers: Tiers
    let policy: ServicePolicy
    let metrics: ServiceMetrics
    let now: @Sendable () -> Date

    /// How long the upload URL is valid for a device, which starts at once, in seconds.
    private static var uploadURLLifetime: TimeInterval { TimeInterval(UploadRequests.defaultLifetime) }

    /// The longest validity for which the cached credentials are enough, in seconds.
    private static var longestCachedLifetime: TimeInterval { PresignedURLValidity.maximumDuration }

    /// The shortest validity of an upload URL, in seconds.
    private static var minimumURLLifetime: TimeInterval { 30 }

    /// Reserves quota for one upload and signs a PUT for exactly its bytes.
    ///
    /// One read and one write, shared by concurrent calls of an account; a count before the account's first call,
    /// before a refusal, and if the last count is not reliable.
    /// - Throws: `quotaExceeded` if there is no quota headroom; `storageReadOnly`.
    package func reserveUpload(_ request: UploadRequest, caller: Caller) async throws(ServiceError) -> ReservedUpload {
        let request = try presignedRequest(request, of: caller.user)
        let (outcomes, uploads) = try await reserve([[request]], caller: caller, lasting: Self.uploadURLLifetime)
        guard let upload = uploads[request.key] else {
            guard case .quotaExceeded(let used)? = outcomes.first else { throw .internal("no signed upload URL") }
            throw .quotaExceeded(used: used, limit: tiers.storageLimit(of: caller.account.value))
        }
        return upload
    }

    /// Reserves quota for several uploads and signs those that fit. URLs that last longer than five minutes, for uploads
    /// that a system starts later, end with the setting and with the credentials that sign them.
    package func reserveUploads(_ request: UploadRequests, caller: Caller) async throws(ServiceError) -> ReservedUploads
    {
        guard (1...UploadRequests.maximum).contains(request.uploads.count) else {
            throw .invalidRequest("uploads must have 1 to \(UploadRequests.maximum) elements.")
        }
        let lifetime = request.lifetime ?? UploadRequests.defaultLifetime
        guard (UploadRequests.defaultLifetime...UploadRequests.maximumLifetime).contains(lifetime) else {
            throw .invalidRequest(
                "lifetime must be \(UploadRequests.defaultLifetime) to \(UploadRequests.maximumLifetime) seconds.")
        }
        var requests: [PresignedRequest] = []
        for upload in request.uploads { requests.append(try presignedRequest(upload, of: caller.user)) }
        guard Set(requests.map(\.key)).count == requests.count else {
            throw .invalidRequest("uploads must not repeat an object.")
        }
        let (outcomes, uploads) = try await reserve(
            requests.map { [$0] }, caller: caller, lasting: min(TimeInterval(lifetime), policy.uploadAddressLifetime))
        let used = outcomes.lazy.compactMap { outcome -> Int64? in
            if case .quotaExceeded(let used) = outcome { used } else { nil }
        }
        return ReservedUploads(
            uploads: requests.map { uploads[$0.key] }, storageUsed: used.max(),
            storageLimit: tiers.storageLimit(of: caller.account.value))
    }

    /// Reserves quota for groups of PUTs and signs those of each group that fits.
    /// - Parameter lifetime: the validity of the URLs, in seconds.
    func reserve(
        _ groups: [[PresignedRequest]], caller: Caller, lasting lifetime: TimeInterval
    ) async throws(ServiceError) -> (outcomes: [ReservationOutcome], uploads: [ObjectKey: ReservedUpload]) {
        let signing = try await signing(for: caller, lasting: lifetime)
        let outcomes = try await reserve(
            groups.map { group in
                group.map {
                    UploadReservation($0.key, size: $0.size, linkEnd: signing.validity.end, holder: caller.holder)
                }
            }, caller: caller)
        let reserved = zip(groups, outcomes).filter { $0.1 == .reserved }.flatMap(\.0)
        guard !reserved.isEmpty else { return (outcomes, [:]) }
        let uploads = zip(reserved.map(\.key), try await sign(reserved, signing))
        return (outcomes, Dictionary(uploads) { _, last in last })
    }

    /// Reserves quota for an object that is uploaded by several requests, and signs them.
    /// - Throws: `quotaExceeded` if there is no quota headroom; `storageReadOnly`.
    func reserve(
        _ key: ObjectKey, size: Int64, signing requests: [PresignedRequest], caller: Caller,
        lasting lifetime: TimeInterval
    ) async throws(ServiceError) -> [ReservedUpload] {
        let signing = try await signing(for: caller, lasting: lifetime)
        let reservation = UploadReservation(key, size: size, linkEnd: signing.validity.end, holder: caller.holder)
        if case .quotaExceeded(let used)? = try await reserve([[reservation]], caller: caller).first {
            throw .quotaExceeded(used: used, limit: tiers.storageLimit(of: caller.account.value))
        }
        return try await sign(requests, signing)
    }

    /// The credentials that sign URLs, and their validity.
    private struct Signing {
        let credentials: StorageCredentials
        let validity: PresignedURLValidity
    }

    /// Returns what signs URLs. It is obtained before the reservation: a reservation without a URL would be wasted.
    private func signing(
        for caller: Caller, lasting lifetime: TimeInterval
    ) async throws(ServiceError) -> Signing {
        guard let account = caller.account.value.storageAccess(within: .max), account == .readWrite else {
            throw .storageReadOnly
        }
        let credentials =
            lifetime > Self.longestCachedLifetime
            ? try await storageAccess.issue(.upload, to: caller, for: lifetime)
            : try await storageAccess.cachedCredentials(caller, access: .upload)
        let validity = PresignedURLValidity(at: now(), lasting: lifetime, until: credentials.expiration)
        guard validity.end.timeIntervalSince(now()) > Self.minimumURLLifetime else { throw .sessionEnded }
        return Signing(credentials: credentials, validity: validity)
    }

    private func reserve(
        _ groups: [ReservationGroup], caller: Caller
    ) async throws(ServiceError) -> [ReservationOutcome] {
        let limit = tiers.storageLimit(of: caller.account.value)
        // The upload of a large file may complete hours after the credentials end.
        let end = groups.joined().map(\.endsAt).max()
        let outcomes = try await mapServiceErrors {
            try await usageService.usage.recordChange(of: caller.user, until: end)
            return try await reservations.reserve(
                groups, of: caller.user, limit: limit, isAlone: policy.reservesUploads,
                isTrusted: { used, countedAt, isSettled in
                    isTrusted(used, countedAt, isSettled: isSettled, limit: limit, of: caller)
                },
                ended: { (holders) async throws(ObjectStoreError) in try await ended(holders, of: caller) },
                count: { (keys) async throws(ObjectStoreError) in
                    try await usageService.reservationCount(of: caller, looking: keys)
                })
        }
        let refused = outcomes.count { if case .quotaExceeded = $0 { true } else { false } }
        if refused > 0 { metrics.increment(ServiceMetric.quotaRefusals, by: Int64(refused)) }
        return outcomes
    }

    private func sign(
        _ requests: [PresignedRequest], _ signing: Signing
    ) async throws(ServiceError) -> [ReservedUpload] {
        let validity = signing.validity
        // The reservation may have waited for a count or for concurrent calls.
        guard validity.end.timeIntervalSince(now()) > Self.minimumURLLifetime else {
            throw .unavailable("signed upload URLs expired during the request")
        }
        let links = try await mapServiceErrors {
            try self.links.sign(requests, with: signing.credentials, validity: validity)
        }
        return zip(requests, links.urls).map { request, url in
            ReservedUpload(url: url, headers: request.headers, expiresAt: validity.end)
        }
    }

    /// Returns whether the known usage is reliable without another count.
    private func isTrusted(
        _ used: Int64, _ countedAt: Date, isSettled: Bool, limit: Int64, of caller: Caller
    ) -> Bool {
        let account = caller.account.value
        if let later = account.bytesCountedAt, later > countedAt, (account.storedBytes ?? 0) > used { return false }
        return isSettled || !usageService.mayHaveReached(limit, from: used, in: now().timeIntervalSince(countedAt))
    }

    /// Returns the sessions that have ended, if addresses end with their session.
    private func ended(
        _ holders: Set<UploadReservation.Holder>, of caller: Caller
    ) async throws(ObjectStoreError) -> Set<UploadReservation.Holder> {
        guard storageAccess.credentials.endsWithSession else { return [] }
        let state = caller.account.value.sessionState(at: now())
        var ended: Set<UploadReservation.Holder> = []
        for holder in holders where holder != caller.holder {
            let record: DeviceRecord?
            do throws(SessionError) {
                record = try await sessions.devices.device(holder.device, of: caller.user)?.value
            } catch {
                // Without its record a session counts as valid.
                continue
            }
            if (try? sessions.validSession(holder.session, on: record, state)) == nil { ended.insert(holder) }
        }
        return ended
    }

    private func presignedRequest(_ request: UploadRequest, of user: UserID) throws(ServiceError) -> PresignedRequest {
        guard let md5 = ContentDigest(request.md5) else {
            throw .invalidRequest("md5 must be 32 lowercase hex digits.")
        }
        let longest = request.kind.maximumSize
        guard (1...longest).contains(request.size) else {
            throw .invalidRequest("size must be 1 to \(longest) bytes for a \(request.kind.rawValue).")
        }
        switch request.kind {
        case .photo:
            guard request.photo == nil else {
                throw .invalidRequest("photo is allowed only for a thumbnail or preview.")
            }
            guard let type = MediaType(request.contentType ?? "application/octet-stream") else {
                throw .invalidRequest("contentType must be a media type, such as image/jpeg.")
            }
            return .upload(.photo(user, md5: md5), md5, request.size, type)
        case .thumbnail, .preview:
            guard let photo = request.photo.flatMap({ ContentDigest($0) }) else {
                throw .invalidRequest("photo must be the MD5 of the photo: 32 lowercase hex digits.")
            }
            guard request.contentType.map({ $0 == "image/jpeg" }) ?? true else {
                throw .invalidRequest("contentType of a \(request.kind.rawValue) must be image/jpeg.")
            }
            let key: ObjectKey =
                request.kind == .preview ? .preview(user, photo: photo) : .thumbnail(user, photo: photo)
            return .upload(key, md5, request.size, .jpeg)
        }
    }
}

extension UploadKind {
    /// The largest size in bytes.
    fileprivate var maximumSize: Int64 {
        switch self {
        case .photo: UploadRequest.maximumPhotoSize
        case .thumbnail: UploadRequest.maximumThumbnailSize
        case .preview: UploadRequest.maximumPreviewSize
        }
    }
}

extension PresignedRequest {
    /// Creates a PUT of exactly these bytes; their MD5 and length are signed.
    static func upload(_ key: ObjectKey, _ md5: ContentDigest, _ size: Int64, _ type: MediaType) -> PresignedRequest {
        PresignedRequest(
            .put, key,
            headers: ["content-md5": md5.base64, "content-length": String(size), "content-type": type.description])
    }

    /// The length of the body in bytes.
    fileprivate var size: Int64 { headers["content-length"].flatMap { Int64($0) } ?? 0 }
}

extension ObjectKey {
    static func photo(_ user: UserID, md5: ContentDigest) -> ObjectKey {
        ObjectKey(known: StorageLayout.photo(user, md5: md5.description))
    }

    static func thumbnail(_ user: UserID, photo md5: ContentDigest) -> ObjectKey {
        ObjectKey(known: StorageLayout.thumbnail(user, md5: md5.description))
    }

    static func preview(_ user: UserID, photo md5: ContentDigest) -> ObjectKey {
        ObjectKey(known: StorageLayout.preview(user, md5: md5.description))
    }
}

extension Caller {
    fileprivate var holder: UploadReservation.Holder {
        UploadReservation.Holder(device: device.value.id, session: session.id)
    }
}

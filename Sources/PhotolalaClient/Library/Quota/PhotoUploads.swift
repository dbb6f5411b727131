import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import Secrets

/// Uploads bytes to a reserved address.
package typealias ReservedSender = @Sendable (ObjectBody, ReservedUpload) async throws(ObjectStoreError) -> ETag

/// The photo store of a backup. It uploads photos, thumbnails and previews only if the account has quota headroom, and through
/// reserved addresses if the deployment requires that.
struct PhotoUploads: ObjectStore {
    /// Reserves quota for uploads.
    typealias Reserver = @Sendable ([UploadRequest]) async throws(PhotolalaError) -> ReservedUploads

    private enum Reserved: Sendable {
        case at(ReservedUpload)
        case refused(used: Int64, limit: Int64)
    }

    /// The age, in seconds, after which a reserved address may have expired.
    private static let addressLifetime: TimeInterval = 240

    private let base: any ObjectStore
    private let photos: String
    private let thumbnails: String
    private let previews: String
    let quota: QuotaTracker
    private let reserve: Reserver
    private let send: ReservedSender
    private let now: @Sendable () -> Date
    private let calls = CallCoalescer<Bool, UploadRequest, Reserved, PhotolalaError>(
        maximumItems: UploadRequests.maximum)

    init(
        _ base: any ObjectStore, user: UserID, quota: QuotaTracker, reserve: @escaping Reserver,
        send: @escaping ReservedSender,
        now: @escaping @Sendable () -> Date
    ) {
        self.base = base
        photos = StorageLayout.photos(user)
        thumbnails = StorageLayout.thumbnails(user)
        previews = StorageLayout.previews(user)
        self.quota = quota
        self.reserve = reserve
        self.send = send
        self.now = now
    }

    func get(_ key: ObjectKey, limit: Int) async throws(ObjectStoreError) -> StoredObject? {
        try await base.get(key, limit: limit)
    }

    func head(_ key: ObjectKey) async throws(ObjectStoreError) -> ObjectInfo? { try await base.head(key) }

    func read(_ key: ObjectKey, range: ByteRange?) async throws(ObjectStoreError) -> StreamedObject? {
        try await base.read(key, range: range)
    }

    /// Catalog files use `put`; photos, thumbnails and previews use `write`.
    func put(_ key: ObjectKey, _ bytes: ByteBuffer, if condition: PutCondition) async throws(ObjectStoreError) -> ETag {
        try await base.put(key, bytes, if: condition)
    }

    func write(
        _ key: ObjectKey, _ body: ObjectBody, attributes: ObjectAttributes, if condition: PutCondition
    ) async throws(ObjectStoreError) -> ObjectInfo {
        guard key.description.hasPrefix(photos) || key.description.hasPrefix(thumbnails) else {
            return try await base.write(key, body, attributes: attributes, if: condition)
        }
        let method = try await quota.reserve(body.size)
        do throws(ObjectStoreError) {
            let info =
                if method == .reserved {
                    try await writeReserved(key, body, attributes)
                } else {
                    try await base.write(key, body, attributes: attributes, if: condition)
                }
            quota.finishUpload(body.size, isStored: true)
            return info
        } catch {
            if error == .quotaExceeded, method != .reserved { await quota.recordRefusal() }
            quota.finishUpload(body.size, isStored: false)
            throw error
        }
    }

    func delete(_ key: ObjectKey, if condition: DeleteCondition) async throws(ObjectStoreError) {
        try await base.delete(key, if: condition)
    }

    func list(prefix: String, after: String?, limit: Int) async throws(ObjectStoreError) -> ObjectPage {
        try await base.list(prefix: prefix, after: after, limit: limit)
    }

    private func writeReserved(
        _ key: ObjectKey, _ body: ObjectBody, _ attributes: ObjectAttributes
    ) async throws(ObjectStoreError) -> ObjectInfo {
        guard let request = request(key, size: body.size, attributes) else {
            throw .denied("cannot reserve \(key)")
        }
        guard request.kind != .photo || request.size <= UploadRequest.maximumPhotoSize else {
            throw .tooLarge(limit: Int(UploadRequest.maximumPhotoSize))
        }
        let (start, reserved): (Date, [Reserved])
        do throws(PhotolalaError) {
            start = now()
            reserved = try await calls.call([request], for: true) { (requests) async throws(PhotolalaError) in
                let response = try await reserve(requests)
                return response.uploads.map { upload in
                    upload.map(Reserved.at) ?? .refused(used: response.storageUsed ?? 0, limit: response.storageLimit)
                }
            }
        } catch {
            throw error.isTransient ? .unavailable(error.detail) : .denied(error.detail)
        }
        let upload: ReservedUpload
        switch reserved.first {
        case .at(let reservedUpload): upload = reservedUpload
        case .refused(let used, let limit):
            quota.recordRefusal(used: used, limit: limit)
            throw .quotaExceeded
        case nil: throw .unavailable("no response")
        }
        let etag: ETag
        do {
            etag = try await send(body, upload)
        } catch {
            // The device may have been suspended: a store reports an expired address like a forbidden one.
            if case .denied(let message) = error, now().timeIntervalSince(start) > Self.addressLifetime {
                throw .unavailable(message)
            }
            throw error
        }
        return ObjectInfo(etag: etag, size: body.size, lastModified: now(), attributes: attributes)
    }

    /// Returns the reservation request; `nil` if the key is not of a photo, thumbnail or preview, or has no declared MD5.
    private func request(_ key: ObjectKey, size: Int64, _ attributes: ObjectAttributes) -> UploadRequest? {
        guard let promised = attributes["content-md5"].flatMap({ Data(base64Encoded: $0) }), promised.count == 16
        else { return nil }
        let md5 = Hex.encode(promised)
        let name = key.description
        if name.hasPrefix(photos) {
            return UploadRequest(md5: md5, size: size, kind: .photo, contentType: attributes["content-type"])
        }
        guard name.hasSuffix(".jpg") else { return nil }
        let (kind, prefix): (UploadKind, String) =
            name.hasPrefix(previews) ? (.preview, previews) : (.thumbnail, thumbnails)
        return UploadRequest(
            md5: md5, size: size, kind: kind, photo: String(name.dropFirst(prefix.count).dropLast(4)))
    }
}

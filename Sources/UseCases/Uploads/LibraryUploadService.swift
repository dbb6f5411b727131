import Foundation
import NIOCore
import ObjectStorage
import PhotoCatalog
import PhotolalaAPI
import StorageAccess

/// A picture of a photo that a browser made.
package struct OfferedPicture: Sendable, Equatable {
    package let md5: ContentDigest
    /// The length in bytes.
    package let size: Int64

    package init(md5: ContentDigest, size: Int64) { (self.md5, self.size) = (md5, size) }
}

/// A photo that a browser offers to upload.
package struct OfferedPhoto: Sendable {
    package let path: LibraryPath
    package let md5: ContentDigest
    /// The length in bytes.
    package let size: Int64
    /// The first 4,096 bytes, or all if the photo is shorter.
    package let head: ByteBuffer
    /// `nil` if the browser cannot decode the photo.
    package let thumbnail: OfferedPicture?
    /// `nil` also if the original is shown as fast.
    package let preview: OfferedPicture?

    package init(
        path: LibraryPath, md5: ContentDigest, size: Int64, head: ByteBuffer, thumbnail: OfferedPicture?,
        preview: OfferedPicture?
    ) {
        self.path = path
        self.md5 = md5
        self.size = size
        self.head = head
        self.thumbnail = thumbnail
        self.preview = preview
    }
}

/// The plan for an offered photo.
package enum PlannedUpload: Sendable, Equatable {
    /// Upload the given objects, the photo last.
    case upload(photo: ReservedUpload?, thumbnail: ReservedUpload?, preview: ReservedUpload?)
    case alreadyInLibrary
    case notMedia
    case tooLarge
    /// Stored and reserved bytes leave no quota headroom for the photo.
    case quotaExceeded
}

/// Plans the uploads of browsers, and adds photos to libraries that browsers and apps uploaded.
package struct LibraryUploadService: Sendable {
    let library: LibraryService
    let libraries: Libraries
    let uploads: UploadService
    let storageAccess: StorageAccessService
    let now: @Sendable () -> Date

    /// How long a browser has to start a planned upload, in seconds.
    static var browserURLLifetime: TimeInterval { 900 }

    /// Checks offered photos, reserves quota for objects that the store does not have, and signs a PUT for each. The
    /// bytes never pass through this service.
    /// - Throws: `storageReadOnly` while the account is being deleted.
    package func planUploads(
        _ offers: [OfferedPhoto], caller: Caller
    ) async throws(ServiceError) -> [PlannedUpload] {
        guard try storageAccess.access(of: caller) != .read else { throw .storageReadOnly }
        if offers.isEmpty { return [] }
        let presentContents = try await library.readLibrary(caller) { catalogs in
            try await library.newestVersion(of: caller, catalogs).catalog.presentContents(Set(offers.map(\.md5)))
        }
        let arrivals = UploadRegistration(try await library.catalogs(of: caller), now: Timestamp(whole: now()))
        var (plans, groups) = ([PlannedUpload?](), [[PresignedRequest]]())
        for offer in offers {
            guard let type = MediaType.sniffed(offer.head, name: offer.path.name) else {
                plans.append(.notMedia)
                continue
            }
            if presentContents.contains(offer.md5) || offer.size > UploadRequest.maximumPhotoSize {
                plans.append(presentContents.contains(offer.md5) ? .alreadyInLibrary : .tooLarge)
                continue
            }
            groups.append(
                try await mapServiceErrors { try await self.presignedRequests(for: offer, type, arrivals, caller.user) }
            )
            plans.append(nil)
        }
        var (outcomes, uploads) = ([ReservationOutcome](), [ObjectKey: ReservedUpload]())
        if groups.contains(where: { !$0.isEmpty }) {
            (outcomes, uploads) = try await self.uploads.reserve(
                groups, caller: caller, lasting: Self.browserURLLifetime)
        }
        var left = outcomes[...]
        return zip(offers, plans).map { offer, plan in
            if let plan { return plan }
            if case .quotaExceeded? = left.popFirst() { return .quotaExceeded }
            return .upload(
                photo: uploads[.photo(caller.user, md5: offer.md5)],
                thumbnail: uploads[.thumbnail(caller.user, photo: offer.md5)],
                preview: uploads[.preview(caller.user, photo: offer.md5)])
        }
    }

    private func presignedRequests(
        for offer: OfferedPhoto, _ type: MediaType, _ arrivals: UploadRegistration, _ user: UserID
    ) async throws -> [PresignedRequest] {
        var requests: [PresignedRequest] = []
        if try await !arrivals.isStored(offer.md5, size: offer.size) {
            requests.append(.upload(.photo(user, md5: offer.md5), offer.md5, offer.size, type))
        }
        for (kind, picture) in [(PictureKind.thumbnail, offer.thumbnail), (.preview, offer.preview)] {
            // An existing picture may be better than the browser's.
            guard let picture, picture.size <= kind.sizeLimit, try await !arrivals.has(kind, of: offer.md5) else {
                continue
            }
            requests.append(.upload(kind.key(of: offer.md5, user), picture.md5, picture.size, .jpeg))
        }
        return requests
    }

    /// Adds photos to the library that an app uploaded. Those that a person removed stay removed unless the app asks for
    /// them: an app may send its whole list again.
    /// - Throws: `invalidRequest`; the errors of `finishUploads`.
    package func addPhotos(_ request: NewPhotos, caller: Caller) async throws(ServiceError) -> AddedPhotos {
        guard (1...NewPhotos.maximum).contains(request.photos.count) else {
            throw .invalidRequest("photos must have 1 to \(NewPhotos.maximum) elements.")
        }
        var photos: [LibraryPath: UploadedPhoto] = [:]
        var order: [UploadedPhoto?] = []
        for photo in request.photos {
            guard let md5 = ContentDigest(photo.md5) else {
                throw .invalidRequest("md5 must be 32 lower-case hex digits.")
            }
            let uploaded = LibraryPath(photo.path).flatMap { path in
                photos[path] == nil
                    ? UploadedPhoto(path: path, md5: md5, modified: Timestamp(whole: photo.modifiedAt)) : nil
            }
            order.append(uploaded)
            if let uploaded { photos[uploaded.path] = uploaded }
        }
        var outcomes = try await finishUploads(
            order.compactMap { $0 }, restoresRemoved: request.restoreRemoved ?? false, caller: caller)[...]
        return AddedPhotos(
            photos: order.map { photo in
                photo == nil ? .badPath : outcomes.popFirst().map(PhotoAddition.init) ?? .missing
            })
    }

    /// Adds uploaded photos to the library. The time for looking at the stored objects counts as time for reading.
    /// - Parameter restoresRemoved: Whether photos are restored that are in the trash or were deleted permanently.
    /// - Throws: `storageReadOnly` while the account is being deleted; `quotaExceeded` for an account over its limit whose
    ///   catalogs take up half of what it may use for deleting; `rateLimited`, `unavailable` as `showLibrary`.
    package func finishUploads(
        _ photos: [UploadedPhoto], restoresRemoved: Bool = true, caller: Caller
    ) async throws(ServiceError) -> [UploadRegistration.Outcome] {
        guard try storageAccess.access(of: caller) != .read else { throw .storageReadOnly }
        try await checkCatalogSize(of: caller)
        let known = try await library.readLibrary(caller) { catalogs in
            try await catalogs.endingAbandonedPurge(try await library.newestVersion(of: caller, catalogs))
        }
        let arrivals = UploadRegistration(
            try await library.catalogs(of: caller), now: Timestamp(whole: now()), foreign: libraries.foreign)
        let (outcomes, changes) = try await mapServiceErrors {
            try await libraries.inspections.withPermit(for: caller.user) {
                try await arrivals.inspectStorage(at: photos, for: known, restoresRemoved: restoresRemoved)
            }
        }
        if !changes.isEmpty {
            try await library.readLibrary(caller, isContinued: true) { catalogs in
                // The stored objects were checked against that catalog; the commit is refused if a purge ran since.
                libraries.store(try await catalogs.commit(changes, onto: known).version, of: caller.user)
            }
        }
        return outcomes
    }

    /// Entries cost no uploads, so they have a limit of their own. One read.
    private func checkCatalogSize(of caller: Caller) async throws(ServiceError) {
        let last = try await uploads.usageService.lastCount(of: caller.user, caller: caller)
        guard let used = last.storageUsed, used > last.storageLimit, let kinds = last.byKind else { return }
        let allowance = BookkeepingAllowance.catalogs(photos: Int64(kinds.photos.objects))
        guard kinds.catalogs.bytes <= allowance / 2 else {
            throw .quotaExceeded(used: used, limit: last.storageLimit)
        }
    }
}

extension PhotoAddition {
    fileprivate init(_ outcome: UploadRegistration.Outcome) {
        switch outcome {
        case .added: self = .added
        case .missing: self = .missing
        case .notMedia: self = .notMedia
        case .inTrash: self = .inTrash
        case .deleted: self = .deleted
        }
    }
}

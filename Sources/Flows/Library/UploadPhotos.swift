import NIOCore
import ObjectStorage
import PhotoLibrary
import PhotolalaAPI
import StorageAccess

/// A photo that a browser has and would bring.
package struct OfferedPhoto: Sendable {
    package let path: LibraryPath
    package let md5: ContentDigest
    /// Length in bytes.
    package let size: Int64
    /// Its first bytes, 4,096 if it has so many.
    package let head: ByteBuffer
    /// The MD5 and length of the thumbnail that the browser made.
    package let thumbnail: (md5: ContentDigest, size: Int64)?

    package init(
        path: LibraryPath, md5: ContentDigest, size: Int64, head: ByteBuffer,
        thumbnail: (md5: ContentDigest, size: Int64)?
    ) {
        self.path = path
        self.md5 = md5
        self.size = size
        self.head = head
        self.thumbnail = thumbnail
    }
}

/// A PUT that the store takes for exactly these bytes.
package struct SignedUpload: Sendable, Equatable {
    package let url: String
    /// To be sent with it.
    package let headers: [String: String]
}

/// What a browser is to do with a photo that it offered.
package enum PlannedUpload: Sendable, Equatable {
    /// Send what is named, the thumbnail first.
    case send(photo: SignedUpload?, thumbnail: SignedUpload?)
    case isInLibrary
    case isNoPhoto
    case isTooLarge
}

extension Services {
    /// The longest file that one PUT takes, in bytes.
    package static let longestUpload: Int64 = 5 << 30

    /// Looks at what a browser offers, and signs a PUT for what the store does not have. The bytes never come here.
    /// - Throws: `storageReadOnly` where the account can store no more.
    package func planUploads(
        _ offers: [OfferedPhoto], caller: Caller
    ) async throws(FlowError) -> [PlannedUpload] {
        guard try access(of: caller) == .readWrite else { throw .storageReadOnly }
        if offers.isEmpty { return [] }
        let standing = try await readLibrary(caller) { catalogs in
            try await newest(of: caller, catalogs).catalog.standing(Set(offers.map(\.md5)))
        }
        let arrivals = PhotoArrivals(try await catalogs(of: caller))
        var (plans, requests) = ([PlannedUpload?](), [LinkedRequest]())
        for offer in offers {
            guard let type = MediaType.sniffed(offer.head, name: offer.path.name) else {
                plans.append(.isNoPhoto)
                continue
            }
            if standing.contains(offer.md5) || offer.size > Self.longestUpload {
                plans.append(standing.contains(offer.md5) ? .isInLibrary : .isTooLarge)
                continue
            }
            requests += try await step { try await self.requests(for: offer, type, arrivals, caller.user) }
            plans.append(nil)
        }
        let urls = requests.isEmpty ? [] : try await sign(requests, caller: caller).urls
        var uploads: [ObjectKey: SignedUpload] = [:]
        for (request, url) in zip(requests, urls) {
            uploads[request.key] = SignedUpload(url: url, headers: request.headers)
        }
        return zip(offers, plans).map { offer, plan in
            plan
                ?? .send(
                    photo: uploads[offer.photoKey(caller.user)], thumbnail: uploads[offer.thumbnailKey(caller.user)])
        }
    }

    private func requests(
        for offer: OfferedPhoto, _ type: MediaType, _ arrivals: PhotoArrivals, _ user: UserID
    ) async throws -> [LinkedRequest] {
        var requests: [LinkedRequest] = []
        if try await !arrivals.isStored(offer.md5, size: offer.size) { requests.append(offer.photoRequest(user, type)) }
        // One that is there may be better than a browser's.
        if let thumbnail = offer.thumbnail, thumbnail.size <= Thumbnail.sizeLimit,
            try await !arrivals.hasThumbnail(offer.md5)
        {
            requests.append(offer.thumbnailRequest(user, thumbnail))
        }
        return requests
    }

    /// Puts photos that were sent into the library.
    /// - Throws: `storageReadOnly` where the account can store no more.
    package func finishUploads(
        _ photos: [PhotoArrival], caller: Caller
    ) async throws(FlowError) -> [PhotoArrivals.Outcome] {
        guard try access(of: caller) == .readWrite else { throw .storageReadOnly }
        let known = try await readLibrary(caller) { catalogs in
            try await catalogs.settled(try await newest(of: caller, catalogs))
        }
        let arrivals = PhotoArrivals(try await catalogs(of: caller))
        let (outcomes, changes) = try await step { try await arrivals.look(at: photos, for: known) }
        if !changes.isEmpty {
            try await readLibrary(caller) { catalogs in
                // What was found stored was found for that catalog: a purge since then refuses it.
                libraries.keep(try await catalogs.commit(changes, onto: known).version, of: caller.user)
            }
        }
        return outcomes
    }
}

extension OfferedPhoto {
    fileprivate func photoKey(_ user: UserID) -> ObjectKey {
        ObjectKey(known: StorageLayout.photo(user, md5: md5.description))
    }

    fileprivate func thumbnailKey(_ user: UserID) -> ObjectKey {
        ObjectKey(known: StorageLayout.thumbnail(user, md5: md5.description))
    }

    fileprivate func photoRequest(_ user: UserID, _ type: MediaType) -> LinkedRequest {
        Self.put(photoKey(user), md5, size, type)
    }

    fileprivate func thumbnailRequest(
        _ user: UserID, _ thumbnail: (md5: ContentDigest, size: Int64)
    ) -> LinkedRequest {
        Self.put(thumbnailKey(user), thumbnail.md5, thumbnail.size, .jpeg)
    }

    /// Of exactly these bytes: their MD5 and their number are signed.
    private static func put(_ key: ObjectKey, _ md5: ContentDigest, _ size: Int64, _ type: MediaType) -> LinkedRequest {
        LinkedRequest(
            .put, key,
            headers: ["content-md5": md5.base64, "content-length": String(size), "content-type": type.description])
    }
}

import Foundation
import NIOCore
import ObjectStorage
import S3Protocol

/// Erases objects in a bucket with all their versions, delete markers and unfinished multipart uploads. A bucket without
/// versioning lists each object as one version named `null`.
struct S3Erasure: StoreErasure {
    private let exchange: S3Exchange

    init(_ exchange: S3Exchange) { self.exchange = exchange }

    func count(below prefix: String, except kept: Set<ObjectKey>) async throws(ObjectStoreError) -> ErasedObjects {
        var count = ErasedObjects()
        let kept = Set(kept.map(\.description))
        try await forEachPage(below: prefix) { (versions) throws(ObjectStoreError) in
            for version in versions where !kept.contains(version.key) { count += version.count }
        }
        try await forEachUploadPage(below: prefix) { (uploads) throws(ObjectStoreError) in
            count.uploads += uploads.count
        }
        return count
    }

    func erase(below prefix: String, except kept: Set<ObjectKey>) async throws(ObjectStoreError) {
        let kept = Set(kept.map(\.description))
        // A completed upload would become an object.
        try await forEachUploadPage(below: prefix) { (uploads) async throws(ObjectStoreError) in
            try await forEachConcurrently(uploads) { (upload) async throws(ObjectStoreError) in
                try await abort(upload)
            }
        }
        try await forEachPage(below: prefix) { (versions) async throws(ObjectStoreError) in
            try await delete(versions.filter { !kept.contains($0.key) })
        }
    }

    func count(
        _ key: ObjectKey, keepingCurrent isCurrentKept: Bool
    ) async throws(ObjectStoreError) -> ErasedObjects {
        try await versions(of: key, keepingCurrent: isCurrentKept).reduce(into: ErasedObjects()) { $0 += $1.count }
    }

    func erase(_ key: ObjectKey, keepingCurrent isCurrentKept: Bool) async throws(ObjectStoreError) {
        let versions = try await versions(of: key, keepingCurrent: isCurrentKept)
        try await delete(versions.filter { !$0.isLatest })
        try await delete(versions.filter(\.isLatest))
    }

    private func versions(
        of key: ObjectKey, keepingCurrent isCurrentKept: Bool
    ) async throws(ObjectStoreError) -> [ObjectVersion] {
        var found: [ObjectVersion] = []
        try await forEachPage(below: key.description) { (versions) throws(ObjectStoreError) in
            found += versions.filter { $0.key.utf8.elementsEqual(key.description.utf8) }
        }
        // A delete marker is no current object.
        return isCurrentKept ? found.filter { !$0.isLatest || $0.isDeleteMarker } : found
    }

    private func delete(_ versions: [ObjectVersion]) async throws(ObjectStoreError) {
        try await forEachConcurrently(versions) { (version) async throws(ObjectStoreError) in
            var request = S3Request(.deleteObjectVersion, key: ObjectKey(known: version.key))
            request.query = [("versionId", version.id)]
            _ = try await exchange.perform(request, expecting: [404], collecting: 64 * 1024)
        }
    }

    private func abort(_ upload: UnfinishedUpload) async throws(ObjectStoreError) {
        var request = S3Request(.abortMultipartUpload, key: ObjectKey(known: upload.key))
        request.query = [("uploadId", upload.id)]
        _ = try await exchange.perform(request, expecting: [404], collecting: 64 * 1024)
    }

    /// Visits the versions and delete markers below a prefix, a page of at most 1,000 at a time.
    private func forEachPage(
        below prefix: String, _ visit: ([ObjectVersion]) async throws(ObjectStoreError) -> Void
    ) async throws(ObjectStoreError) {
        var marker: (key: String, version: String)?
        repeat {
            var request = S3Request(.listObjectVersions, key: nil)
            request.query = [("encoding-type", "url")]
            if let marker { request.query.append(("key-marker", marker.key)) }
            request.query += [("max-keys", "1000"), ("prefix", prefix)]
            if let marker { request.query.append(("version-id-marker", marker.version)) }
            request.query.append(("versions", ""))
            let page = try await page(request)
            try await visit(page.entries("Version", "DeleteMarker").map(ObjectVersion.init))
            marker = try page.next("NextKeyMarker", "NextVersionIdMarker")
        } while marker != nil
    }

    private func forEachUploadPage(
        below prefix: String, _ visit: ([UnfinishedUpload]) async throws(ObjectStoreError) -> Void
    ) async throws(ObjectStoreError) {
        var marker: (key: String, version: String)?
        repeat {
            var request = S3Request(.listMultipartUploads, key: nil)
            request.query = [("encoding-type", "url")]
            if let marker { request.query.append(("key-marker", marker.key)) }
            request.query += [("max-uploads", "1000"), ("prefix", prefix)]
            if let marker { request.query.append(("upload-id-marker", marker.version)) }
            request.query.append(("uploads", ""))
            let page = try await page(request)
            try await visit(page.entries("Upload").map(UnfinishedUpload.init))
            marker = try page.next("NextKeyMarker", "NextUploadIdMarker")
        } while marker != nil
    }

    private func page(_ request: S3Request) async throws(ObjectStoreError) -> VersionListing {
        let outcome = try await exchange.perform(request, collecting: S3Listing.sizeLimit)
        guard case .response(_, let bytes) = outcome else { throw .unavailable("no listing in the response") }
        return try VersionListing(bytes)
    }
}

/// A version of an object, or a delete marker.
struct ObjectVersion: Sendable {
    /// The key as stored, even if it is not a valid key of this project.
    let key: String
    let id: String
    let isLatest: Bool
    let isDeleteMarker: Bool
    let size: Int64

    init(_ entry: VersionListing.Entry) throws(ObjectStoreError) {
        guard let id = entry.element.value("VersionId") else { throw VersionListing.malformed }
        key = entry.key
        self.id = id
        isLatest = entry.element.value("IsLatest") == "true"
        isDeleteMarker = entry.element.name == "DeleteMarker"
        size = entry.element.value("Size").flatMap { Int64($0) } ?? 0
    }

    var count: ErasedObjects {
        if isDeleteMarker { return ErasedObjects(deleteMarkers: 1) }
        return isLatest ? ErasedObjects(objects: 1, bytes: size) : ErasedObjects(versions: 1, bytes: size)
    }
}

/// A multipart upload that is neither completed nor aborted.
struct UnfinishedUpload: Sendable {
    let key: String
    let id: String

    init(_ entry: VersionListing.Entry) throws(ObjectStoreError) {
        guard let id = entry.element.value("UploadId") else { throw VersionListing.malformed }
        key = entry.key
        self.id = id
    }
}

/// A page of ListObjectVersions or ListMultipartUploads.
struct VersionListing {
    struct Entry {
        let key: String
        let element: PlainElement
    }

    private let document: PlainElement
    private let isEncoded: Bool

    static let malformed = ObjectStoreError.unavailable("malformed listing of versions")

    init(_ bytes: ByteBuffer) throws(ObjectStoreError) {
        guard let document = try? XMLReader.read(bytes.readableBytesView), document.value("IsTruncated") != nil else {
            throw Self.malformed
        }
        self.document = document
        isEncoded = document.value("EncodingType") == "url"
    }

    /// Returns the elements with one of the names, in order.
    func entries(_ names: String...) throws(ObjectStoreError) -> [Entry] {
        var entries: [Entry] = []
        for element in document.children where names.contains(element.name) {
            entries.append(Entry(key: try decoded(element.value("Key")), element: element))
        }
        return entries
    }

    /// Returns the start of the next page; `nil` on the last one.
    func next(
        _ keyName: String, _ versionName: String
    ) throws(ObjectStoreError) -> (key: String, version: String)? {
        guard document.value("IsTruncated") == "true" else { return nil }
        return (try decoded(document.value(keyName)), document.value(versionName) ?? "")
    }

    private func decoded(_ text: String?) throws(ObjectStoreError) -> String {
        guard let text, let key = isEncoded ? S3Listing.decoded(text) : text else { throw Self.malformed }
        return key
    }
}

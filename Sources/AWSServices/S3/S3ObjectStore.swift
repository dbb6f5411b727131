import Foundation
import HTTPTypes
import NIOCore
import ObjectStorage
import S3Protocol
import Transport

/// A bucket of S3, or of a compatible service, as an object store.
package struct S3ObjectStore: ObjectStore, UploadProbe, DatedDeletion {
    let exchange: S3Exchange
    private let unfinished: (any UnfinishedUploads)?

    /// - Parameters:
    ///   - pause: The delay between attempts of repeatable requests.
    ///   - now: The time for signatures; the service rejects a clock that is off by more than 15 minutes.
    ///   - unfinished: The record of multipart uploads that can be resumed; without it, failed uploads are aborted.
    ///   - onSlowDown: Called for each response that requests a lower rate.
    package init(
        settings: S3Settings, credentials: any CredentialSource, transport: any HTTPTransport, pause: Backoff,
        now: @escaping @Sendable () -> Date, unfinished: (any UnfinishedUploads)? = nil,
        onSlowDown: @escaping @Sendable () -> Void = {}
    ) {
        self.unfinished = unfinished
        exchange = S3Exchange(
            settings: settings, credentials: credentials, transport: transport, pause: pause, now: now,
            onSlowDown: onSlowDown
        )
    }

    init(exchange: S3Exchange) {
        self.exchange = exchange
        unfinished = nil
    }

    /// Sends bytes to a key without storing them, to measure how long that takes.
    package func probeUpload(_ bytes: ByteBuffer, to key: ObjectKey) async throws(ObjectStoreError) {
        let upload = S3MultipartUpload(
            exchange: exchange, key: key, attributes: [:], condition: .always, unfinished: nil
        )
        try await upload.probe(bytes)
    }

    /// Aborts a multipart upload and deletes its parts. A missing upload is not an error.
    package func abort(_ upload: String, to key: ObjectKey) async throws(ObjectStoreError) {
        var request = S3Request(.abortMultipartUpload, key: key)
        request.query = [("uploadId", upload)]
        _ = try await exchange.perform(request, expecting: [404], collecting: 64 * 1024)
    }

    package func get(_ key: ObjectKey, limit: Int) async throws(ObjectStoreError) -> StoredObject? {
        let request = S3Request(.getObject, key: key)
        switch try await exchange.perform(request, expecting: [403, 404], collecting: limit) {
        case .response(let response, let bytes):
            return StoredObject(bytes: bytes, etag: try S3Headers.etag(response.headers))
        case .failure(let failure, _): return try await confirmAbsence(failure, key)
        }
    }

    package func head(_ key: ObjectKey) async throws(ObjectStoreError) -> ObjectInfo? {
        guard let headers = try await headers(of: key) else { return nil }
        return try S3Headers.info(headers, size: try S3Headers.length(headers))
    }

    /// Returns all headers of an object, or `nil` if it does not exist.
    func headers(of key: ObjectKey) async throws(ObjectStoreError) -> HTTPFields? {
        switch try await requestHead(key, expecting: [403, 404]) {
        case .found(let headers): return headers
        case .refused(let failure) where failure.status == 403 && failure.code.isEmpty:
            guard try await isListed(key) else { return nil }
            // A response to HEAD gives no reason. If the credentials had expired or the clock was wrong, the listing
            // has corrected that.
            switch try await requestHead(key, expecting: [404]) {
            case .found(let headers): return headers
            case .refused(let failure): return try await confirmAbsence(failure, key)
            }
        case .refused(let failure): return try await confirmAbsence(failure, key)
        }
    }

    private enum HeadOutcome {
        case found(HTTPFields)
        case refused(S3Failure)
    }

    private func requestHead(_ key: ObjectKey, expecting expected: Set<Int>) async throws(ObjectStoreError)
        -> HeadOutcome
    {
        switch try await exchange.perform(S3Request(.headObject, key: key), expecting: expected) {
        case .response(let response, _): return .found(response.headers)
        case .failure(let failure, _): return .refused(failure)
        }
    }

    package func read(_ key: ObjectKey, range: ByteRange?) async throws(ObjectStoreError) -> StreamedObject? {
        var request = S3Request(.getObject, key: key)
        if let range {
            guard let header = range.header else { return try await unsatisfiable(key) }
            request.headers[.range] = header
        }
        switch try await exchange.perform(request, expecting: [403, 404, 416]) {
        case .failure(let failure, let headers):
            guard failure.status == 416 else { return try await confirmAbsence(failure, key) }
            guard let size = S3Headers.contentRange(headers)?.size else { return try await unsatisfiable(key) }
            throw .rangeNotSatisfiable(size: size)
        case .response(let response, _):
            let length = try S3Headers.length(response.headers)
            let location = response.status == 206 ? S3Headers.contentRange(response.headers) : (0..<length, length)
            guard let location, let offsets = location.range, offsets.upperBound - offsets.lowerBound == length,
                offsets == ByteRange.resolve(range, size: location.size)
            else { throw .unavailable("response with another range than requested") }
            let info = try S3Headers.info(response.headers, size: location.size)
            return StreamedObject(
                info: info, offsets: offsets, body: ObjectBody(size: length, chunks: ReceivedBody(response.body))
            )
        }
    }

    /// Returns the result for a range that cannot be satisfied, if the response did not contain the size.
    private func unsatisfiable(_ key: ObjectKey) async throws(ObjectStoreError) -> StreamedObject? {
        guard let info = try await head(key) else { return nil }
        throw .rangeNotSatisfiable(size: info.size)
    }

    @discardableResult
    package func put(
        _ key: ObjectKey, _ bytes: ByteBuffer, if condition: PutCondition
    ) async throws(ObjectStoreError) -> ETag {
        try await send(key, .bytes(bytes), attributes: [:], if: condition).etag
    }

    @discardableResult
    package func write(
        _ key: ObjectKey, _ body: ObjectBody, attributes: ObjectAttributes, if condition: PutCondition
    ) async throws(ObjectStoreError) -> ObjectInfo {
        guard body.size <= exchange.settings.partSize else {
            // Resuming is safe only if the same key always has the same bytes, regardless of the sender.
            let isKnownContent = condition == .always && attributes[DeclaredMD5.attributeName] != nil
            let upload = S3MultipartUpload(
                exchange: exchange, key: key, attributes: attributes, condition: condition,
                unfinished: isKnownContent ? unfinished : nil
            )
            return try await upload.send(body)
        }
        let bytes = try await body.collect()
        let sent = try await send(key, .bytes(bytes), attributes: attributes, if: condition)
        return sent.info(size: body.size, attributes)
    }

    package func delete(_ key: ObjectKey, if condition: DeleteCondition) async throws(ObjectStoreError) {
        var request = S3Request(.deleteObject, key: key)
        if case .matches(let etag) = condition {
            request.headers[.ifMatch] = "\"\(etag)\""
            request.isRepeatable = false
        }
        let outcome = try await exchange.perform(request, expecting: [404], collecting: 64 * 1024)
        guard case .failure(let failure, _) = outcome else { return }
        let nothing: Bool? = try await confirmAbsence(failure, key)
        if nothing == nil, condition != .always { throw .preconditionFailed }
    }

    package func delete(_ key: ObjectKey, before deadline: Date) async throws(ObjectStoreError) {
        var request = S3Request(.deleteObject, key: key)
        (request.deadline, request.isRepeatable) = (deadline, false)
        let outcome = try await exchange.perform(request, expecting: [404], collecting: 64 * 1024)
        guard case .failure(let failure, _) = outcome else { return }
        let _: Bool? = try await confirmAbsence(failure, key)
    }

    package func list(prefix: String, after: String?, limit: Int) async throws(ObjectStoreError) -> ObjectPage {
        var start = after
        while true {
            var request = S3Request(.listObjects, key: nil)
            request.query = [
                ("encoding-type", "url"), ("list-type", "2"), ("max-keys", String(min(max(limit, 1), 1000))),
                ("prefix", prefix),
            ]
            if let start { request.query.append(("start-after", start)) }
            let outcome = try await exchange.perform(request, collecting: S3Listing.sizeLimit)
            guard case .response(_, let bytes) = outcome else { throw .unavailable("no listing in the response") }
            let listing = try S3Listing(bytes)
            // A page whose keys were all skipped is not the end of the listing.
            if listing.objects.isEmpty, listing.isTruncated, let last = listing.lastKey, last != start {
                start = last
                continue
            }
            return ObjectPage(objects: listing.objects, isTruncated: listing.isTruncated)
        }
    }

    /// Returns `nil` for a missing key, but throws for a missing bucket. For callers that may list only below a
    /// prefix, such as users, AWS returns the same error for missing and forbidden keys, and a listing distinguishes
    /// the two.
    func confirmAbsence<Value>(_ failure: S3Failure, _ key: ObjectKey) async throws(ObjectStoreError) -> Value? {
        switch (failure.status, failure.code) {
        case (404, ""), (404, "NoSuchKey"): return nil
        case (403, ""), (403, "AccessDenied"):
            if try await isListed(key) { throw failure.error(isRepeatable: true) }
            return nil
        default: throw failure.error(isRepeatable: true)
        }
    }

    private func isListed(_ key: ObjectKey) async throws(ObjectStoreError) -> Bool {
        try await list(prefix: key.description, after: nil, limit: 1).objects.first?.key == key
    }

    private func send(
        _ key: ObjectKey, _ body: S3Request.Body, attributes: ObjectAttributes, if condition: PutCondition
    ) async throws(ObjectStoreError) -> WriteReceipt {
        var request = S3Request(.putObject, key: key, body: body)
        try request.add(attributes)
        request.declareMD5()
        request.require(condition)
        guard case .response(let response, _) = try await exchange.perform(request, collecting: 64 * 1024) else {
            throw .unavailable("no response to a write")
        }
        let date = response.headers[.date].flatMap(S3Date.http) ?? exchange.now()
        return WriteReceipt(etag: try S3Headers.etag(response.headers), date: date)
    }
}

/// The result of a write.
private struct WriteReceipt {
    let etag: ETag
    let date: Date

    func info(size: Int64, _ attributes: ObjectAttributes) -> ObjectInfo {
        ObjectInfo(etag: etag, size: size, lastModified: date, attributes: attributes)
    }
}

extension ByteRange {
    /// The `Range` header (RFC 9110 section 14.2); `nil` for a range that it cannot represent and that no object has.
    fileprivate var header: String? {
        switch self {
        case .closed(let first, let last): first >= 0 && first <= last ? "bytes=\(first)-\(last)" : nil
        case .from(let first): first >= 0 ? "bytes=\(first)-" : nil
        case .suffix(let count): count > 0 ? "bytes=-\(count)" : nil
        }
    }
}

import Foundation
import HTTPTypes
import NIOCore
import ObjectStorage
import SigV4
import Transport

/// A bucket of S3, or of an engine that speaks like it, as an object store.
package struct S3ObjectStore: ObjectStore {
    private let exchange: S3Exchange

    /// - Parameters:
    ///   - pause: between attempts at what can safely be repeated.
    ///   - now: for the signatures; a clock wrong by more than 15 minutes is refused by the service.
    package init(
        settings: S3Settings, credentials: any CredentialSource, transport: any HTTPTransport, pause: Backoff,
        now: @escaping @Sendable () -> Date
    ) {
        exchange = S3Exchange(
            settings: settings, credentials: credentials, transport: transport, pause: pause, now: now
        )
    }

    init(exchange: S3Exchange) { self.exchange = exchange }

    package func get(_ key: ObjectKey, limit: Int) async throws(ObjectStoreError) -> StoredObject? {
        let request = S3Request(.getObject, key: key)
        switch try await exchange.perform(request, expecting: [404], collecting: limit) {
        case .response(let response, let bytes):
            return StoredObject(bytes: bytes, etag: try S3Headers.etag(response.headers))
        case .failure(let failure, _): return try absent(failure)
        }
    }

    package func head(_ key: ObjectKey) async throws(ObjectStoreError) -> ObjectInfo? {
        switch try await exchange.perform(S3Request(.headObject, key: key), expecting: [404]) {
        case .response(let response, _):
            return try S3Headers.info(response.headers, size: try S3Headers.length(response.headers))
        case .failure(let failure, _): return try absent(failure)
        }
    }

    package func read(_ key: ObjectKey, range: ByteRange?) async throws(ObjectStoreError) -> ObjectReading? {
        var request = S3Request(.getObject, key: key)
        if let range {
            guard let header = range.header else { return try await unsatisfiable(key) }
            request.headers[.range] = header
        }
        switch try await exchange.perform(request, expecting: [404, 416]) {
        case .failure(let failure, let headers):
            guard failure.status == 416 else { return try absent(failure) }
            guard let size = S3Headers.contentRange(headers)?.size else { return try await unsatisfiable(key) }
            throw .rangeNotSatisfiable(size: size)
        case .response(let response, _):
            let length = try S3Headers.length(response.headers)
            let place = response.status == 206 ? S3Headers.contentRange(response.headers) : (0..<length, length)
            guard let place, let offsets = place.range, offsets.upperBound - offsets.lowerBound == length,
                offsets == ByteRange.resolve(range, size: place.size)
            else { throw .unavailable("an answer with another range than was asked for") }
            let info = try S3Headers.info(response.headers, size: place.size)
            return ObjectReading(
                info: info, offsets: offsets, body: ObjectBody(size: length, chunks: ReceivedBody(response.body))
            )
        }
    }

    /// What to answer when a range cannot be met and nobody has told the size.
    private func unsatisfiable(_ key: ObjectKey) async throws(ObjectStoreError) -> ObjectReading? {
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
            let upload = S3MultipartUpload(exchange: exchange, key: key, attributes: attributes, condition: condition)
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
        let answer = try await exchange.perform(request, expecting: [404], collecting: 64 * 1024)
        guard case .failure(let failure, _) = answer else { return }
        let nothing: Bool? = try absent(failure)
        if nothing == nil, condition != .always { throw .preconditionFailed }
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
            let answer = try await exchange.perform(request, collecting: S3Listing.sizeLimit)
            guard case .response(_, let bytes) = answer else { throw .unavailable("no listing") }
            let listing = try S3Listing(bytes)
            // A page of nothing but keys that are none of ours is not the end.
            if listing.objects.isEmpty, listing.isTruncated, let last = listing.lastKey, last != start {
                start = last
                continue
            }
            return ObjectPage(objects: listing.objects, isTruncated: listing.isTruncated)
        }
    }

    /// A missing key is absence; a missing bucket is not.
    private func absent<Value>(_ failure: S3Failure) throws(ObjectStoreError) -> Value? {
        guard failure.code.isEmpty || failure.code == "NoSuchKey" else {
            throw .denied("\(failure.code) (HTTP \(failure.status))")
        }
        return nil
    }

    private func send(
        _ key: ObjectKey, _ body: S3Request.Body, attributes: ObjectAttributes, if condition: PutCondition
    ) async throws(ObjectStoreError) -> Sent {
        var request = S3Request(.putObject, key: key, body: body)
        try request.add(attributes)
        request.require(condition)
        guard case .response(let response, _) = try await exchange.perform(request, collecting: 64 * 1024) else {
            throw .unavailable("no answer to a write")
        }
        let date = response.headers[.date].flatMap(S3Date.http) ?? exchange.now()
        return Sent(etag: try S3Headers.etag(response.headers), date: date)
    }
}

/// What the answer to a write tells.
private struct Sent {
    let etag: ETag
    let date: Date

    func info(size: Int64, _ attributes: ObjectAttributes) -> ObjectInfo {
        ObjectInfo(etag: etag, size: size, lastModified: date, attributes: attributes)
    }
}

extension ByteRange {
    /// The `Range` header (RFC 9110 section 14.2), `nil` for what it cannot spell, which no object has either.
    fileprivate var header: String? {
        switch self {
        case .closed(let first, let last): first >= 0 && first <= last ? "bytes=\(first)-\(last)" : nil
        case .from(let first): first >= 0 ? "bytes=\(first)-" : nil
        case .suffix(let count): count > 0 ? "bytes=-\(count)" : nil
        }
    }
}

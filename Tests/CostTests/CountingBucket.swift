import Foundation
import HTTPTypes
import NIOCore
import ObjectStorage
import S3Protocol
import Synchronization
import Transport

/// A bucket in memory that accepts S3 requests and counts them.
final class CountingBucket: HTTPTransport {
    /// Requests by the kinds that S3 charges for. A HEAD costs as much as a GET.
    struct Counts: Sendable, Equatable {
        var get = 0
        var put = 0
        var list = 0
        var delete = 0
    }

    private let store: MemoryObjectStore
    private let counts = Mutex(Counts())

    init(now: @escaping @Sendable () -> Date) { store = MemoryObjectStore(now: now) }

    /// Returns the requests since the last call.
    func drainCounts() -> Counts {
        counts.withLock { counts in
            defer { counts = Counts() }
            return counts
        }
    }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        guard let parts = URLComponents(string: request.url) else { throw .notSent("the address") }
        let path = parts.path.split(separator: "/", maxSplits: 1).map(String.init)
        do {
            guard path.count == 2 else { return try await list(parts.queryItems ?? []) }
            guard let key = ObjectKey(path[1]) else { throw TransportError.notSent("the key") }
            return try await act(request, on: key)
        } catch let error as ObjectStoreError {
            return response(
                error == .preconditionFailed ? 412 : 500, error == .preconditionFailed ? "PreconditionFailed" : "")
        } catch {
            throw .notSent("\(error)")
        }
    }

    private func act(_ request: TransportRequest, on key: ObjectKey) async throws -> TransportResponse {
        let tag = request.headers[.ifMatch].map { ETag($0.trimmingCharacters(in: ["\""])) }
        switch request.method {
        case .get, .head:
            counts.withLock { $0.get += 1 }
            guard let found = try await store.get(key), let info = try await store.head(key) else {
                return response(404, request.method == .head ? nil : "NoSuchKey")
            }
            return stored(info, request.method == .head ? ByteBuffer() : found.bytes, length: info.size)
        case .put:
            counts.withLock { $0.put += 1 }
            guard case .bytes(let bytes) = request.body else { throw TransportError.notSent("no body") }
            let condition: PutCondition =
                request.headers[.ifNoneMatch] == nil ? tag.map { .matches($0) } ?? .always : .absent
            _ = try await store.put(key, bytes, if: condition)
            guard let info = try await store.head(key) else { throw TransportError.notSent("gone") }
            return stored(info, ByteBuffer(), length: 0)
        default:
            counts.withLock { $0.delete += 1 }
            try await store.delete(key, if: tag.map { .matches($0) } ?? .always)
            return response(204, nil)
        }
    }

    private func list(_ query: [URLQueryItem]) async throws -> TransportResponse {
        counts.withLock { $0.list += 1 }
        func value(_ name: String) -> String? { query.first { $0.name == name }?.value }
        let page = try await store.list(
            prefix: value("prefix") ?? "", after: value("start-after"), limit: Int(value("max-keys") ?? "") ?? 1000)
        let contents = page.objects.map { object in
            "<Contents><Key>\(AWSPercentEncoding.encode(object.key.description))</Key>"
                + "<LastModified>\(object.lastModified.formatted(Self.dates))</LastModified>"
                + "<ETag>&quot;\(object.etag)&quot;</ETag><Size>\(object.size)</Size></Contents>"
        }
        return TransportResponse(
            status: 200, headers: [:],
            body: stream(
                """
                <ListBucketResult><EncodingType>url</EncodingType><IsTruncated>\(page.isTruncated)</IsTruncated>\
                \(contents.joined())</ListBucketResult>
                """))
    }

    private static let dates = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    private func stored(_ info: ObjectInfo, _ bytes: ByteBuffer, length: Int64) -> TransportResponse {
        let headers: HTTPFields = [
            .eTag: "\"\(info.etag)\"", .contentLength: "\(length)", .lastModified: "Sun, 06 Nov 1994 08:49:37 GMT",
        ]
        return TransportResponse(status: 200, headers: headers, body: stream(String(buffer: bytes)))
    }

    private func response(_ status: Int, _ code: String?) -> TransportResponse {
        TransportResponse(
            status: status, headers: [:], body: stream(code.map { "<Error><Code>\($0)</Code></Error>" } ?? ""))
    }

    private func stream(_ text: String) -> AsyncThrowingStream<ByteBuffer, any Error> {
        AsyncThrowingStream { continuation in
            if !text.isEmpty { continuation.yield(ByteBuffer(string: text)) }
            continuation.finish()
        }
    }
}

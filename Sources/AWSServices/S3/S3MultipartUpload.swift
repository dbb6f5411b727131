import Crypto
import Foundation
import NIOCore
import ObjectStorage
import S3Protocol
import Transport

/// An object uploaded in parts, each of which can be retried. Nothing is visible until the last step. An earlier
/// failure leaves nothing behind, unless the upload was recorded and can be resumed: then existing parts are not sent
/// again.
struct S3MultipartUpload {
    private static let maximumParts: Int64 = 10_000

    let exchange: S3Exchange
    let key: ObjectKey
    let attributes: ObjectAttributes
    let condition: PutCondition
    let unfinished: (any UnfinishedUploads)?

    func send(_ body: ObjectBody) async throws(ObjectStoreError) -> ObjectInfo {
        var (upload, sent) = ("", [Int: SentPart]())
        if let earlier = try await resumableUpload() { (upload, sent) = earlier } else { upload = try await begin() }
        do {
            let parts = try await send(body, in: upload, but: sent)
            let info = try await complete(upload, parts, size: body.size)
            await removeRecord(upload)
            return info
        } catch {
            if unfinished == nil || !error.isResumable {
                await abort(upload)
                await removeRecord(upload)
            }
            throw error
        }
    }

    /// Sends one part and aborts the upload, so that nothing is stored.
    func probe(_ part: ByteBuffer) async throws(ObjectStoreError) {
        let upload = try await begin()
        do {
            _ = try await send(part, Self.md5(part), number: 1, in: upload)
        } catch {
            await abort(upload)
            throw error
        }
        await abort(upload)
    }

    /// An upload to the same key that another process of this device has started since stays recorded.
    private func removeRecord(_ upload: String) async {
        if let unfinished, await unfinished.uploadID(to: key) == upload { await unfinished.remove(key) }
    }

    /// Another process of this device may have resumed the same upload, and completed or aborted it first; a bucket aborts
    /// old uploads. The next attempt then checks whether the object exists, and starts a new upload if it does not.
    private func interpret(
        of failure: S3Failure, in upload: String, isRepeatable: Bool
    ) async -> ObjectStoreError {
        guard failure.isLostUpload else { return failure.error(isRepeatable: isRepeatable) }
        await removeRecord(upload)
        return .unavailable(failure.summary)
    }

    /// Returns a recorded upload of an earlier attempt, and its parts.
    private func resumableUpload() async throws(ObjectStoreError) -> (upload: String, sent: [Int: SentPart])? {
        guard let upload = await unfinished?.uploadID(to: key) else { return nil }
        guard let sent = try await SentPart.list(exchange, key, upload) else {
            await removeRecord(upload)
            return nil
        }
        // Renews the record, so that the upload does not count as stale.
        await unfinished?.record(upload, to: key)
        return (upload, sent)
    }

    private func begin() async throws(ObjectStoreError) -> String {
        var request = S3Request(.createMultipartUpload, key: key)
        request.query = [("uploads", "")]
        // A digest of the whole object does not apply to this request, which has no body.
        try request.add(attributes.withoutDeclaredDigest)
        guard case .response(_, let bytes) = try await exchange.perform(request, collecting: 64 * 1024),
            let upload = try? XMLReader.read(bytes.readableBytesView).value("UploadId")
        else { throw .unavailable("no upload id in the response") }
        await unfinished?.record(upload, to: key)
        return upload
    }

    /// Sends the parts sequentially as they are filled, and returns their ETags. A part is not sent again if the
    /// store's ETag is the MD5 of its bytes.
    private func send(
        _ body: ObjectBody, in upload: String, but sent: [Int: SentPart]
    ) async throws(ObjectStoreError) -> [ETag] {
        let minimumPartSize = (body.size + Self.maximumParts - 1) / Self.maximumParts
        var parts = PartReader(body, partSize: max(exchange.settings.partSize, Int(clamping: minimumPartSize)))
        let declared = attributes[DeclaredMD5.attributeName]
        var md5 = Insecure.MD5()
        var tags: [ETag] = []
        while let part = try await parts.next() {
            if declared != nil { part.withUnsafeReadableBytes { md5.update(bufferPointer: $0) } }
            let (number, md5) = (tags.count + 1, Self.md5(part))
            if let there = sent[number], there.isPart(md5, size: part.readableBytes) {
                tags.append(there.etag)
            } else {
                tags.append(try await send(part, md5, number: number, in: upload))
            }
        }
        if let declared, declared != Data(md5.finalize()).base64EncodedString() { throw .digestMismatch }
        return tags
    }

    private func send(
        _ part: ByteBuffer, _ md5: Insecure.MD5Digest, number: Int, in upload: String
    ) async throws(ObjectStoreError) -> ETag {
        var request = S3Request(.uploadPart, key: key, body: .bytes(part))
        request.query = [("partNumber", String(number)), ("uploadId", upload)]
        request.headers[.contentMD5] = Data(md5).base64EncodedString()
        switch try await exchange.perform(request, expecting: [404], collecting: 64 * 1024) {
        case .response(let response, _): return try S3Headers.etag(response.headers)
        case .failure(let failure, _): throw await interpret(of: failure, in: upload, isRepeatable: true)
        }
    }

    private static func md5(_ part: ByteBuffer) -> Insecure.MD5Digest {
        var hasher = Insecure.MD5()
        part.withUnsafeReadableBytes { hasher.update(bufferPointer: $0) }
        return hasher.finalize()
    }

    /// Completes the object. A repeated request would find no upload, so a lost response is left to the caller.
    private func complete(
        _ upload: String, _ parts: [ETag], size: Int64
    ) async throws(ObjectStoreError) -> ObjectInfo {
        var text = #"<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">"#
        for (index, tag) in parts.enumerated() {
            text += "<Part><PartNumber>\(index + 1)</PartNumber><ETag>\"\(Self.escaped(tag))\"</ETag></Part>"
        }
        text += "</CompleteMultipartUpload>"
        var request = S3Request(
            .completeMultipartUpload, key: key, body: .bytes(ByteBuffer(string: text))
        )
        request.query = [("uploadId", upload)]
        request.require(condition)
        request.isRepeatable = false
        request.workingTime = .seconds(size >> 23)
        let response: TransportResponse
        let bytes: ByteBuffer
        switch try await exchange.perform(request, expecting: [400, 404], collecting: 64 * 1024) {
        case .response(let head, let collected):
            response = head
            bytes = collected
        case .failure(let failure, _): throw await interpret(of: failure, in: upload, isRepeatable: false)
        }
        guard let tag = try? XMLReader.read(bytes.readableBytesView).value("ETag") else {
            // The response header is sent before the work is done, so a failure can follow status 200.
            throw await interpret(of: S3Failure.afterSuccessStatus(bytes), in: upload, isRepeatable: false)
        }
        return ObjectInfo(
            etag: ETag(S3Headers.unquoted(tag)), size: size,
            lastModified: response.headers[.date].flatMap(S3Date.http) ?? exchange.now(), attributes: attributes
        )
    }

    /// Incomplete parts cost as much as objects. Runs even if the caller's task is cancelled.
    private func abort(_ upload: String) async {
        var request = S3Request(.abortMultipartUpload, key: key)
        request.query = [("uploadId", upload)]
        let exchange = exchange
        let aborting = request
        await Task { _ = try? await exchange.perform(aborting, expecting: [404], collecting: 64 * 1024) }.value
    }

    private static func escaped(_ tag: ETag) -> String {
        tag.description.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    }
}

extension ObjectStoreError {
    /// Whether another attempt may use the parts sent so far.
    fileprivate var isResumable: Bool {
        switch self {
        case .unavailable, .outcomeUnknown, .bodyFailed: true
        default: false
        }
    }
}

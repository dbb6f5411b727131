import Crypto
import Foundation
import NIOCore
import ObjectStorage
import PlainXML
import SigV4

/// One object sent in parts, each of which can be sent again. Nothing is visible until the last step, and what fails
/// before it leaves nothing behind.
struct S3MultipartUpload {
    private static let mostParts: Int64 = 10_000

    let exchange: S3Exchange
    let key: ObjectKey
    let attributes: ObjectAttributes
    let condition: PutCondition

    func send(_ body: ObjectBody) async throws(ObjectStoreError) -> ObjectInfo {
        let upload = try await begin()
        do {
            let parts = try await send(body, in: upload)
            return try await complete(upload, parts, size: body.size)
        } catch {
            await abort(upload)
            throw error
        }
    }

    private func begin() async throws(ObjectStoreError) -> String {
        var request = S3Request(.createMultipartUpload, key: key)
        request.query = [("uploads", "")]
        // A digest of the whole says nothing of this request, which has no body.
        try request.add(attributes.filter { $0.key != "content-md5" })
        guard case .response(_, let bytes) = try await exchange.perform(request, collecting: 64 * 1024),
            let upload = try? XMLReader.read(bytes.readableBytesView).value("UploadId")
        else { throw .unavailable("no upload was begun") }
        return upload
    }

    /// Sends the parts one by one, each as it is full, and gives their tags.
    private func send(_ body: ObjectBody, in upload: String) async throws(ObjectStoreError) -> [ETag] {
        let least = (body.size + Self.mostParts - 1) / Self.mostParts
        var parts = PartReader(body, partSize: max(exchange.settings.partSize, Int(clamping: least)))
        let declared = attributes["content-md5"]
        var whole = Insecure.MD5()
        var tags: [ETag] = []
        while let part = try await parts.next() {
            if declared != nil { part.withUnsafeReadableBytes { whole.update(bufferPointer: $0) } }
            tags.append(try await send(part, number: tags.count + 1, in: upload))
        }
        if let declared, declared != Data(whole.finalize()).base64EncodedString() { throw .digestMismatch }
        return tags
    }

    private func send(_ part: ByteBuffer, number: Int, in upload: String) async throws(ObjectStoreError) -> ETag {
        var request = S3Request(.uploadPart, key: key, body: .bytes(part))
        request.query = [("partNumber", String(number)), ("uploadId", upload)]
        var hasher = Insecure.MD5()
        part.withUnsafeReadableBytes { hasher.update(bufferPointer: $0) }
        request.headers[.contentMD5] = Data(hasher.finalize()).base64EncodedString()
        guard case .response(let response, _) = try await exchange.perform(request, collecting: 64 * 1024) else {
            throw .unavailable("no answer to a part")
        }
        return try S3Headers.etag(response.headers)
    }

    /// Puts the object together. Done twice the second finds no upload, so a lost answer is left to the caller.
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
        guard case .response(let response, let bytes) = try await exchange.perform(request, collecting: 64 * 1024)
        else { throw .outcomeUnknown("no answer to the end of an upload") }
        guard let tag = try? XMLReader.read(bytes.readableBytesView).value("ETag") else {
            // The head of the answer is sent before the work is done, so a failure can come as 200.
            throw S3Failure.late(bytes).error(isRepeatable: false)
        }
        return ObjectInfo(
            etag: ETag(S3Headers.unquoted(tag)), size: size,
            lastModified: response.headers[.date].flatMap(S3Date.http) ?? exchange.now(), attributes: attributes
        )
    }

    /// Parts that nobody completes cost as much as objects. The caller may be cancelled already; this runs all the same.
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

import HTTPTypes
import Hummingbird
import ObjectStorage
import PlainXML

extension BucketOperations {
    /// Puts the parts together into the object. Nothing of it is visible until all of it is durable.
    func completeMultipartUpload(_ call: Call) async throws -> Response {
        let id = call.request.parameter("uploadId") ?? ""
        let record = try await upload(call, id, for: .putObject)
        if let tag = record.completedETag { return completed(record, ETag(tag)) }
        let condition = try WriteConditions.put(call.request.headers)
        let request = try CompletionRequest(try await call.document())
        let parts = try await parts(call, id)
        let chosen = try request.select(from: parts)
        var size: Int64 = 0
        for part in chosen {
            size += part.size
            guard size <= settings.maxBodySize else { throw S3Error.tooLarge }
        }
        if let text = call.request.headers[.amzObjectSize], Int64(text) != size {
            throw S3Error.invalidRequest("The provided 'x-amz-mp-object-size' header does not match what was computed.")
        }
        let key = ObjectKey(known: record.key)
        let body = ObjectBody(size: size, chunks: PartsBody(store: store, parts: chosen))
        do {
            // All parts go, also those that were not chosen.
            let going = UploadRecord.partPrefixes(call.caller.session.user, id)
            let attributes = record.attributes
            let info = try await within(limitOf: call, size: size, attributes, at: key, leaving: going) { quota in
                try await store.write(key, body, attributes: attributes, if: condition, within: quota)
            }
            try await close(call, id, record, info.etag)
            return completed(record, info.etag)
        } catch ObjectStoreError.bodyFailed {
            throw S3Error.invalidPart
        } catch {
            throw try await explained(error, key, condition)
        }
    }

    /// The record stays until it expires, so that a client that lost the answer gets it again.
    private func close(_ call: Call, _ id: String, _ record: UploadRecord, _ etag: ETag) async throws {
        var closed = record
        closed.completedETag = etag.description
        try await store.put(UploadRecord.key(call.caller.session.user, id), closed.encoded(), if: .always)
        for part in try await parts(call, id).values { try await store.delete(part.key, if: .always) }
    }

    private func completed(_ record: UploadRecord, _ etag: ETag) -> Response {
        var xml = XMLText()
        xml.root("CompleteMultipartUploadResult") {
            $0.element("Location", "/\(settings.bucket)/\(record.key)")
            $0.element("Bucket", settings.bucket)
            $0.element("Key", record.key)
            $0.element("ETag", "\"\(etag)\"")
        }
        return answer(xml)
    }
}

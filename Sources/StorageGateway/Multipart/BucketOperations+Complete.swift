import HTTPTypes
import Hummingbird
import ObjectStorage
import S3Protocol

extension BucketOperations {
    /// Assembles the parts into the object, which becomes visible only when all of it is durable.
    func completeMultipartUpload(_ call: Call) async throws -> Response {
        let id = call.request.parameter("uploadId") ?? ""
        let record = try await upload(call, id, for: .putObject)
        if let tag = record.completedETag { return completionResponse(record, ETag(tag), record.completedChecksum) }
        let condition = try WriteConditions.put(call.request.headers)
        let declared = try CompletionChecksum(record.checksum, call.request)
        let request = try CompletionRequest(try await call.document(limit: 3 << 20, headChecksumOf: .object))
        let chosen = try request.select(from: try await parts(call, id))
        let size = try size(of: chosen, call)
        let checksums = declared.needsParts(request) ? try await partChecksums(chosen) : chosen.map { _ in nil }
        let checksum = try declared.verify(
            request, zip(chosen, checksums).map { (size: $0.size, checksum: $1) })
        let layout = PartLayout(
            sizes: chosen.map(\.size), checksums: checksum?.type == .composite ? checksums.compactMap { $0?.value } : []
        )
        let attributes = record.attributes.merging(layout.attributes) { $1 }
            .merging(checksum?.attributes ?? [:]) { $1 }
        let key = ObjectKey(known: record.key)
        let body = ObjectBody(size: size, chunks: PartsBody(store: store, parts: chosen))
        do {
            let storeCondition = try await storeCondition(condition, key)
            // All parts are deleted, including those that were not selected.
            let going = UploadRecord.partPrefixes(call.caller.session.user, id)
            let info = try await within(limitOf: call, size: size, attributes, at: key, leaving: going) { quota in
                try await store.write(key, body, attributes: attributes, if: storeCondition, within: quota)
            }
            try await markCompleted(call, id, record, info.etag, checksum)
            return completionResponse(record, info.etag, checksum)
        } catch ObjectStoreError.bodyFailed {
            throw S3Error.invalidPart
        } catch {
            throw try await mapPreconditionError(error, key, condition)
        }
    }

    /// Returns the size of the object, and compares it with the declared one, if any.
    private func size(of parts: [ListedObject], _ call: Call) throws(S3Error) -> Int64 {
        var size: Int64 = 0
        for part in parts {
            size += part.size
            guard size <= settings.maxBodySize else { throw .tooLarge }
        }
        if let text = call.request.headers[.amzObjectSize], Int64(text) != size {
            throw .invalidRequest("The provided 'x-amz-mp-object-size' header does not match what was computed.")
        }
        return size
    }

    /// Returns the checksums stored with the parts, reading 16 at a time.
    func partChecksums(_ parts: [ListedObject]) async throws -> [ContentChecksum?] {
        try await withThrowingTaskGroup(of: (Int, ContentChecksum?).self) { group in
            var found = [ContentChecksum?](repeating: nil, count: parts.count)
            for (index, part) in parts.enumerated() {
                if index >= 16, let (done, checksum) = try await group.next() { found[done] = checksum }
                group.addTask {
                    // A part that was replaced since it was listed is not the one that the request named.
                    guard let info = try await store.head(part.key), info.etag == part.etag else {
                        throw S3Error.invalidPart
                    }
                    return (index, ContentChecksum(info.attributes))
                }
            }
            for try await (done, checksum) in group { found[done] = checksum }
            return found
        }
    }

    /// Marks the record as completed. It is kept until it expires, so that a client that lost the response can get it
    /// again.
    private func markCompleted(
        _ call: Call, _ id: String, _ record: UploadRecord, _ etag: ETag, _ checksum: ContentChecksum?
    ) async throws {
        var closed = record
        closed.completedETag = etag.description
        closed.completedChecksum = checksum
        try await store.put(UploadRecord.key(call.caller.session.user, id), closed.encoded(), if: .always)
        for part in try await parts(call, id).values { try await store.delete(part.key, if: .always) }
    }

    private func completionResponse(_ record: UploadRecord, _ etag: ETag, _ checksum: ContentChecksum?) -> Response {
        var xml = XMLWriter()
        xml.root("CompleteMultipartUploadResult") {
            $0.element("Location", "/\(settings.bucket)/\(record.key)")
            $0.element("Bucket", settings.bucket)
            $0.element("Key", record.key)
            $0.element("ETag", "\"\(etag)\"")
            checksum?.write(to: &$0)
            $0.element("ChecksumType", checksum?.type.rawValue)
        }
        return xmlResponse(xml)
    }
}

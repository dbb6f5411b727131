import Foundation
import HTTPTypes
import Hummingbird
import ObjectStorage
import S3Protocol
import Secrets
import StorageAccess

extension BucketOperations {
    func createMultipartUpload(_ call: Call) async throws -> Response {
        let key = try call.key(for: .putObject)
        guard !key.isFolderMarker else { throw S3Error.folderWithContent }
        let attributes = try ObjectHeaders.attributes(call.request.headers)
        let checksum = try UploadChecksum(call.request.headers)
        let id = UploadRecord.newID(at: now(), randomness)
        let record = UploadRecord(
            key: key.description, attributes: attributes, initiated: now(), checksum: checksum)
        let (target, body) = (UploadRecord.key(call.caller.session.user, id), ObjectBody(try record.encoded()))
        try await within(limitOf: call, size: body.size, [:], at: target) { quota in
            _ = try await store.write(target, body, attributes: [:], if: .absent, within: quota)
        }
        var xml = XMLWriter()
        xml.root("InitiateMultipartUploadResult") {
            $0.element("Bucket", settings.bucket)
            $0.element("Key", key.description)
            $0.element("UploadId", id)
        }
        var headers: HTTPFields = [:]
        checksum?.set(in: &headers)
        return xmlResponse(xml, headers: headers)
    }

    /// Stores a part with its checksum: the declared one, otherwise one with the upload's algorithm.
    func uploadPart(_ call: Call, _ id: String, _ number: Int) async throws -> Response {
        let record = try await openUpload(call, id, for: .putObject)
        let body = try call.body(limit: settings.maxBodySize, standard: record.checksum?.algorithm)
        try record.checksum?.check(part: body.declared.algorithm)
        let part = UploadRecord.part(call.caller.session.user, id, number)
        let (size, expected) = (body.declared.size, body.checksumPlaceholder)
        let info = try await within(limitOf: call, size: size, expected, at: part) { quota in
            try await write(part, body, attributes: [:], if: .always, within: quota)
        }
        return writeResponse(info.etag, body, isPart: true)
    }

    func uploadPartCopy(_ call: Call, _ id: String, _ number: Int) async throws -> Response {
        let record = try await openUpload(call, id, for: .putObject)
        let source = try CopySource.key(call, bucket: settings.bucket)
        var range: ByteRange?
        if let text = call.request.headers[.amzCopySourceRange] {
            guard let parsed = ByteRange(header: text), case .closed = parsed else {
                throw S3Error.invalidArgument("The x-amz-copy-source-range value must be of the form bytes=first-last")
            }
            range = parsed
        }
        let reading = try await readPart(call, source, range)
        let part = UploadRecord.part(call.caller.session.user, id, number)
        let measured = record.checksum.map { ChecksummingBody(reading.body, $0.algorithm) }
        let body = measured.map { ObjectBody(size: reading.body.size, chunks: $0) } ?? reading.body
        let expected = ContentChecksum.placeholder(record.checksum?.algorithm)
        let info = try await within(limitOf: call, size: body.size, expected, at: part) { quota in
            try await store.write(part, body, attributes: [:], if: .always, within: quota) {
                measured?.checksum?.attributes ?? [:]
            }
        }
        return copyResponse("CopyPartResult", info)
    }

    /// Opens the source of a part. A range that ends beyond the source is rejected: the client assumes a longer
    /// source, and its copy would be truncated.
    private func readPart(_ call: Call, _ source: ObjectKey, _ range: ByteRange?) async throws -> StreamedObject {
        do {
            let reading = try await readSource(call, source, range: range)
            guard case .closed(_, let last) = range, last >= reading.info.size else { return reading }
            throw ObjectStoreError.rangeNotSatisfiable(size: reading.info.size)
        } catch ObjectStoreError.rangeNotSatisfiable(let size) {
            throw S3Error.invalidArgument("Range specified is not valid for source object of size: \(size)")
        }
    }

    func abortMultipartUpload(_ call: Call, _ id: String) async throws -> Response {
        _ = try await openUpload(call, id, for: .abortMultipartUpload)
        let user = call.caller.session.user
        for part in try await parts(call, id).values { try await store.delete(part.key, if: .always) }
        try await store.delete(UploadRecord.key(user, id), if: .always)
        return Response(status: .noContent)
    }

    /// Returns the record of an upload in progress, for the key with which it was started.
    func openUpload(_ call: Call, _ id: String, for action: StorageAction) async throws -> UploadRecord {
        let record = try await upload(call, id, for: action)
        guard record.completedETag == nil else { throw S3Error.noSuchUpload }
        return record
    }

    /// Returns the record of an upload that is in progress or completed.
    func upload(_ call: Call, _ id: String, for action: StorageAction) async throws -> UploadRecord {
        let key = try call.key(for: action)
        guard Hex.isLowercase(id, count: 32),
            let stored = try await store.get(UploadRecord.key(call.caller.session.user, id))
        else { throw S3Error.noSuchUpload }
        let record = try UploadRecord(stored.bytes)
        guard record.key.utf8.elementsEqual(key.description.utf8), !isExpired(record) else {
            throw S3Error.noSuchUpload
        }
        return record
    }

    func isExpired(_ record: UploadRecord) -> Bool {
        record.initiated.addingTimeInterval(settings.uploadLifetime) <= now()
    }

    /// Returns the stored parts by number.
    func parts(_ call: Call, _ id: String) async throws -> [Int: ListedObject] {
        var parts: [Int: ListedObject] = [:]
        var after: String?
        while true {
            let page = try await store.list(
                prefix: UploadRecord.prefix(call.caller.session.user, id), after: after, limit: 1000)
            for object in page.objects {
                if let number = UploadRecord.number(of: object.key) { parts[number] = object }
                after = object.key.description
            }
            if !page.isTruncated { return parts }
        }
    }
}

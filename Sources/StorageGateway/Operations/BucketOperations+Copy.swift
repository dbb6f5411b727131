import HTTPTypes
import Hummingbird
import ObjectStorage
import S3Protocol

extension BucketOperations {
    /// Performs CopyObject. The policy must allow reading the source and writing the target.
    func copyObject(_ call: Call) async throws -> Response {
        let headers = call.request.headers
        let target = try call.key(for: .putObject)
        let source = try CopySource.key(call, bucket: settings.bucket)
        let condition = try WriteConditions.put(headers)
        let wanted = try headers[.amzChecksumAlgorithm].map { name throws(S3Error) in try ChecksumAlgorithm.named(name)
        }
        let replacement = try replacement(headers)
        if source == target && replacement == nil && wanted == nil {
            throw S3Error.invalidRequest(
                "This copy request is illegal because it is trying to copy an object to itself without changing it.")
        }
        let reading = try await readSource(call, source, range: nil)
        guard !target.isFolderMarker || reading.body.size == 0 else { throw S3Error.folderWithContent }
        do {
            let storeCondition = try await storeCondition(condition, target)
            let info = try await copy(call, reading, to: target, replacement, wanted, if: storeCondition)
            return copyResponse("CopyObjectResult", info)
        } catch {
            throw try await mapPreconditionError(error, target, condition)
        }
    }

    /// Writes the copy. A full-object checksum remains valid; a composite one is computed again, because a copy has
    /// no parts.
    private func copy(
        _ call: Call, _ reading: StreamedObject, to target: ObjectKey, _ replacement: ObjectAttributes?,
        _ wanted: ChecksumAlgorithm?, if condition: PutCondition
    ) async throws -> ObjectInfo {
        let checksum = ContentChecksum(reading.info.attributes)
        let algorithm = wanted ?? (checksum?.type == .composite ? checksum?.algorithm : nil)
        let measured = algorithm.map { ChecksummingBody(reading.body, $0) }
        let body = measured.map { ObjectBody(size: reading.body.size, chunks: $0) } ?? reading.body
        var attributes = replacement ?? ObjectHeaders.fields(of: reading.info.attributes)
        if measured == nil { attributes.merge(checksum?.attributes ?? [:]) { $1 } }
        let expected = attributes.merging(ContentChecksum.placeholder(algorithm)) { $1 }
        let targetAttributes = attributes
        return try await within(limitOf: call, size: body.size, expected, at: target) { quota in
            try await store.write(target, body, attributes: targetAttributes, if: condition, within: quota) {
                measured?.checksum?.attributes ?? [:]
            }
        }
    }

    /// Opens the source as a stream after checking its conditions.
    func readSource(_ call: Call, _ source: ObjectKey, range: ByteRange?) async throws -> StreamedObject {
        guard let reading = try await store.read(source, range: range) else { throw S3Error.noSuchKey }
        guard try ReadConditions(copying: call.request.headers).check(reading.info) == .proceed else {
            throw S3Error.preconditionFailed
        }
        guard reading.body.size <= settings.maxBodySize else { throw S3Error.tooLarge }
        return reading
    }

    func copyResponse(_ name: String, _ info: ObjectInfo) -> Response {
        var xml = XMLWriter()
        xml.root(name) {
            $0.element("LastModified", S3Date.xml(info.lastModified))
            $0.element("ETag", "\"\(info.etag)\"")
            ContentChecksum(info.attributes)?.write(to: &$0)
        }
        return xmlResponse(xml)
    }

    /// Returns the attributes that replace the source's; `nil` if those are copied.
    private func replacement(_ headers: HTTPFields) throws(S3Error) -> ObjectAttributes? {
        let attributes = try ObjectHeaders.attributes(headers)
        switch headers[.amzMetadataDirective] {
        case nil, "COPY": return nil
        case "REPLACE": return attributes
        default: throw .invalidArgument("Unknown metadata directive.")
        }
    }
}

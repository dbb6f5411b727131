import HTTPTypes
import Hummingbird
import ObjectStorage
import PlainXML
import SigV4

extension BucketOperations {
    /// CopyObject: reading the source and writing the target are both asked of the policy.
    func copyObject(_ call: Call) async throws -> Response {
        let headers = call.request.headers
        let target = try call.key(for: .putObject)
        let source = try CopySource.key(call, bucket: settings.bucket)
        let condition = try WriteConditions.put(headers)
        let storeCondition = try await storeCondition(condition, target)
        if headers[.amzChecksumAlgorithm] != nil { throw S3Error.notImplemented("A new checksum for a copy") }
        let replacement = try replacement(headers)
        if source == target && replacement == nil {
            throw S3Error.invalidRequest(
                "This copy request is illegal because it is trying to copy an object to itself without changing it.")
        }
        let reading = try await readSource(call, source, range: nil)
        guard !target.isFolderMarker || reading.body.size == 0 else { throw S3Error.folderWithBytes }
        let attributes = copied(reading.info.attributes, replacement)
        do {
            let size = reading.body.size
            let info = try await within(limitOf: call, size: size, attributes, at: target) { quota in
                try await store.write(target, reading.body, attributes: attributes, if: storeCondition, within: quota)
            }
            return copied("CopyObjectResult", info)
        } catch {
            throw try await explained(error, target, condition)
        }
    }

    /// The source as a stream, once its conditions hold.
    func readSource(_ call: Call, _ source: ObjectKey, range: ByteRange?) async throws -> ObjectReading {
        guard let reading = try await store.read(source, range: range) else { throw S3Error.noSuchKey }
        guard try ReadConditions(copying: call.request.headers).check(reading.info) == .proceed else {
            throw S3Error.preconditionFailed
        }
        guard reading.body.size <= settings.maxBodySize else { throw S3Error.tooLarge }
        return reading
    }

    func copied(_ name: String, _ info: ObjectInfo) -> Response {
        var xml = XMLText()
        xml.root(name) {
            $0.element("LastModified", S3Date.xml(info.lastModified))
            $0.element("ETag", "\"\(info.etag)\"")
            ContentChecksum(info.attributes)?.write(to: &$0)
        }
        return answer(xml)
    }

    /// What a copy keeps. The bytes are the same, so a checksum of all of them stays true; a copy has no parts.
    private func copied(_ source: ObjectAttributes, _ replacement: ObjectAttributes?) -> ObjectAttributes {
        let checksum = ContentChecksum(source).flatMap { $0.type == .fullObject ? $0.attributes : nil }
        let fields = source.filter {
            !ContentChecksum.isAttribute($0.key) && !$0.key.hasPrefix(PartLayout.attributePrefix)
        }
        return (replacement ?? fields).merging(checksum ?? [:]) { $1 }
    }

    /// The attributes that take the place of the source's, `nil` when those are copied.
    private func replacement(_ headers: HTTPFields) throws(S3Error) -> ObjectAttributes? {
        let attributes = try ObjectHeaders.attributes(headers)
        switch headers[.amzMetadataDirective] {
        case nil, "COPY": return nil
        case "REPLACE": return attributes
        default: throw .invalidArgument("Unknown metadata directive.")
        }
    }
}

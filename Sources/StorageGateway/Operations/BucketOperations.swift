import Foundation
import HTTPTypes
import Hummingbird
import Monitoring
import NIOCore
import ObjectStorage
import S3Protocol
import Secrets

/// The operations on the bucket and its objects; one file per kind of operation.
struct BucketOperations: Sendable {
    let settings: StorageGatewaySettings
    let store: any MeteredObjectStore
    let uploadsInFlight: UploadsInFlight
    let limits: RequestLimits
    let metrics: ServiceMetrics
    let downloads: DownloadMeter
    let now: @Sendable () -> Date
    let randomness: Randomness

    func perform(_ operation: S3Operation, _ call: Call) async throws -> Response {
        switch operation {
        case .headBucket: Response(status: .ok, headers: [.amzBucketRegion: settings.region])
        case .getBucketLocation: bucketLocation()
        case .getBucketVersioning: bucketVersioning()
        case .listObjects: try await listObjects(call, version: 1)
        case .listObjectsV2: try await listObjects(call, version: 2)
        case .listMultipartUploads: try await listMultipartUploads(call)
        case .deleteObjects: try await deleteObjects(call)
        case .getObject(let part): try await getObject(call, part: part, withBody: true)
        case .headObject(let part): try await getObject(call, part: part, withBody: false)
        case .getObjectAttributes: try await getObjectAttributes(call)
        case .putObject: try await putObject(call)
        case .copyObject: try await copyObject(call)
        case .deleteObject: try await deleteObject(call)
        case .createMultipartUpload: try await createMultipartUpload(call)
        case .completeMultipartUpload: try await completeMultipartUpload(call)
        case .uploadPart(let id, let number): try await uploadPart(call, id, number)
        case .uploadPartCopy(let id, let number): try await uploadPartCopy(call, id, number)
        case .abortMultipartUpload(let id): try await abortMultipartUpload(call, id)
        case .listParts(let id): try await listParts(call, id)
        }
    }

    private func bucketLocation() -> Response {
        var xml = XMLWriter()
        // AWS represents its first region as an empty value.
        xml.root("LocationConstraint") { $0.escaped(settings.region == "us-east-1" ? "" : settings.region) }
        return xmlResponse(xml)
    }

    /// Returns the response for a bucket that never had versioning.
    private func bucketVersioning() -> Response {
        var xml = XMLWriter()
        xml.root("VersioningConfiguration") { _ in }
        return xmlResponse(xml)
    }

    func xmlResponse(_ xml: XMLWriter, headers: HTTPFields = [:]) -> Response {
        var headers = headers
        headers[.contentType] = "application/xml"
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: xml.text)))
    }

    /// Writes verified content with its checksum. A verification failure takes precedence over the store's error.
    func write(
        _ key: ObjectKey, _ body: VerifiedBody, attributes: ObjectAttributes, if condition: PutCondition,
        within quota: StorageQuota
    ) async throws -> ObjectInfo {
        do {
            let attributes = attributes.merging(body.declaredDigest) { $1 }
            return try await store.write(
                key, body.objectBody(), attributes: attributes, if: condition, within: quota
            ) { [outcome = body.outcome] in outcome.checksum?.attributes ?? [:] }
        } catch {
            throw body.outcome.failure ?? error
        }
    }

    /// Returns the condition for the store to check. `If-Match: *` becomes the current ETag, at the cost of a HEAD:
    /// the write fails if the object is replaced during the request (`mapPreconditionError`).
    func storeCondition(_ condition: WriteConditions.Put, _ key: ObjectKey) async throws -> PutCondition {
        switch condition {
        case .store(let condition): return condition
        case .exists:
            guard let info = try await store.head(key) else { throw S3Error.noSuchKey }
            return .matches(info.etag)
        }
    }

    /// Maps a failed condition as AWS does: a write with `If-Match` on a missing object is 404, on another version
    /// 412. With `If-Match: *` another version would be acceptable, so the result is 409, which is retried.
    func mapPreconditionError(_ error: any Error, _ key: ObjectKey, _ condition: WriteConditions.Put) async throws
        -> any Error
    {
        guard error as? ObjectStoreError == .preconditionFailed else { return error }
        switch condition {
        case .store(.matches): return try await store.head(key) == nil ? S3Error.noSuchKey : error
        case .exists: return try await store.head(key) == nil ? S3Error.noSuchKey : S3Error.conflict
        case .store: return error
        }
    }
}

import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import ObjectStorage
import PlainXML
import Secrets

/// What can be done to the bucket and its objects; one file for each kind of act.
struct BucketOperations: Sendable {
    let settings: StorageGatewaySettings
    let store: any MeteredObjectStore
    let uploadsInFlight: UploadsInFlight
    let limits: RequestLimits
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
        var xml = XMLText()
        // AWS spells its first region as nothing.
        xml.root("LocationConstraint") { $0.escaped(settings.region == "us-east-1" ? "" : settings.region) }
        return answer(xml)
    }

    /// The answer for a bucket that never had versions.
    private func bucketVersioning() -> Response {
        var xml = XMLText()
        xml.root("VersioningConfiguration") { _ in }
        return answer(xml)
    }

    func answer(_ xml: XMLText, headers: HTTPFields = [:]) -> Response {
        var headers = headers
        headers[.contentType] = "application/xml"
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: xml.text)))
    }

    /// Writes checked content with its checksum. What was wrong with the content goes before what the store made of it.
    func write(
        _ key: ObjectKey, _ body: VerifiedBody, attributes: ObjectAttributes, if condition: PutCondition,
        within quota: StorageQuota
    ) async throws -> ObjectInfo {
        do {
            let attributes = attributes.merging(body.promise) { $1 }
            return try await store.write(
                key, body.objectBody(), attributes: attributes, if: condition, within: quota
            ) { [outcome = body.outcome] in outcome.checksum?.attributes ?? [:] }
        } catch {
            throw body.outcome.failure ?? error
        }
    }

    /// The condition that a store checks. `If-Match: *` becomes the tag of what is there now, at the cost of a HEAD: an
    /// object that is replaced during the request makes it fail (`explained`).
    func storeCondition(_ condition: WriteConditions.Put, _ key: ObjectKey) async throws -> PutCondition {
        switch condition {
        case .store(let condition): return condition
        case .exists:
            guard let info = try await store.head(key) else { throw S3Error.noSuchKey }
            return .matches(info.etag)
        }
    }

    /// On AWS a write with `If-Match` on nothing is 404, one on something else 412. With `If-Match: *` something else is
    /// as good: 409, try again.
    func explained(_ error: any Error, _ key: ObjectKey, _ condition: WriteConditions.Put) async throws -> any Error {
        guard error as? ObjectStoreError == .preconditionFailed else { return error }
        switch condition {
        case .store(.matches): return try await store.head(key) == nil ? S3Error.noSuchKey : error
        case .exists: return try await store.head(key) == nil ? S3Error.noSuchKey : S3Error.conflict
        case .store: return error
        }
    }
}

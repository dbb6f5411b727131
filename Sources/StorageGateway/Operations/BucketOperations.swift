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
    let now: @Sendable () -> Date
    let randomness: Randomness

    func perform(_ operation: S3Operation, _ call: Call) async throws -> Response {
        switch operation {
        case .headBucket: Response(status: .ok, headers: [.amzBucketRegion: settings.region])
        case .getBucketLocation: bucketLocation()
        case .listObjects: try await listObjects(call, version: 1)
        case .listObjectsV2: try await listObjects(call, version: 2)
        case .listMultipartUploads: try await listMultipartUploads(call)
        case .deleteObjects: try await deleteObjects(call)
        case .getObject: try await getObject(call, withBody: true)
        case .headObject: try await getObject(call, withBody: false)
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

    func answer(_ xml: XMLText, headers: HTTPFields = [:]) -> Response {
        var headers = headers
        headers[.contentType] = "application/xml"
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: xml.text)))
    }

    /// Writes checked content. What was wrong with the content goes before what the store made of it.
    func write(
        _ key: ObjectKey, _ body: VerifiedBody, attributes: ObjectAttributes, if condition: PutCondition,
        within quota: StorageQuota
    ) async throws -> ObjectInfo {
        do {
            let attributes = attributes.merging(body.promise) { $1 }
            return try await store.write(key, body.objectBody(), attributes: attributes, if: condition, within: quota)
        } catch {
            throw body.outcome.failure ?? error
        }
    }

    /// On AWS a write with `If-Match` on nothing is 404, one on something else 412.
    func explained(_ error: any Error, _ key: ObjectKey, _ condition: PutCondition) async throws -> any Error {
        guard case .matches = condition, error as? ObjectStoreError == .preconditionFailed else { return error }
        return try await store.head(key) == nil ? S3Error.noSuchKey : error
    }
}

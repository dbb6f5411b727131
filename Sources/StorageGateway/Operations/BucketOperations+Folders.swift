import Foundation
import HTTPTypes
import Hummingbird
import ObjectStorage
import Secrets

/// The folders that exist without an object, because clients query them before they use the keys below: the caller's
/// own prefixes and their parents (`photos/`).
extension BucketOperations {
    /// The metadata of such a folder, as an empty object. Its date is the Unix epoch.
    private static let implicitFolderInfo = ObjectInfo(
        etag: ETag("d41d8cd98f00b204e9800998ecf8427e"), size: 0, lastModified: Date(timeIntervalSince1970: 0),
        attributes: ["content-type": "application/x-directory"])

    /// Such a folder as an object to read; `nil` for other keys.
    /// - Throws: `NoSuchKey` for its name without the slash, where no object can be.
    func implicitFolder(_ call: Call) throws(S3Error) -> ObjectInfo? {
        let key = call.request.key
        if call.caller.policy.isImplicitFolder("\(key)/", .getObject) { throw .noSuchKey }
        return call.caller.policy.isImplicitFolder(key, .getObject) ? Self.implicitFolderInfo : nil
    }

    /// The response to GetObject and HeadObject of such a folder; `nil` for other keys.
    func implicitFolderResponse(_ call: Call) throws(S3Error) -> Response? {
        guard let folder = try implicitFolder(call) else { return nil }
        if let refused = try failedConditionResponse(call, folder) { return refused }
        var fields = ObjectHeaders.responseFields(folder, call.request)
        fields[.contentLength] = "0"
        return Response(status: .ok, headers: fields)
    }

    /// Performs PutObject for such a folder, which stores nothing. Metadata that would have to be stored is rejected.
    func putImplicitFolder(_ call: Call) async throws -> Response {
        let attributes = try ObjectHeaders.attributes(call.request.headers)
        guard !attributes.keys.contains(where: { $0.hasPrefix("x-amz-meta-") }) else {
            throw S3Error.notImplemented("Metadata of a folder that always exists")
        }
        switch try WriteConditions.put(call.request.headers) {
        case .store(.always), .exists: break
        case .store(.matches(let etag)) where etag == Self.implicitFolderInfo.etag: break
        case .store: throw S3Error.preconditionFailed
        }
        let body = try call.body(limit: settings.maxBodySize)
        guard body.declared.size == 0 else { throw S3Error.folderWithContent }
        _ = try await body.collect(limit: 0)
        return writeResponse(Self.implicitFolderInfo.etag, body)
    }
}

import HTTPTypes
import Hummingbird
import ObjectStorage
import SigV4

extension BucketOperations {
    /// GetObject and HeadObject. One read of the store gives head and bytes, so an object that is replaced meanwhile is
    /// given as it was, whole.
    func getObject(_ call: Call, withBody: Bool) async throws -> Response {
        let key = try call.key(for: .getObject)
        let headers = call.request.headers
        var range = headers[.range].flatMap(RangeHeader.parse)
        guard withBody || range != nil else { return try await headObject(call, key) }
        guard var reading = try await store.read(key, range: range) else { throw S3Error.noSuchKey }
        if range != nil, let tag = headers[.ifRange], WriteConditions.unquoted(tag) != reading.info.etag.description {
            range = nil
            guard let whole = try await store.read(key, range: nil) else { throw S3Error.noSuchKey }
            reading = whole
        }
        if let refused = try refusal(call, reading.info) { return refused }
        var answer = ObjectHeaders.answer(reading.info, call.request)
        answer[.contentLength] = String(reading.body.size)
        if range != nil {
            let (first, end) = (reading.offsets.lowerBound, reading.offsets.upperBound)
            answer[.contentRange] = "bytes \(first)-\(end - 1)/\(reading.info.size)"
        } else {
            addChecksum(to: &answer, call, reading.info)
        }
        return Response(
            status: range == nil ? .ok : .partialContent, headers: answer,
            body: withBody ? stream(reading.body) : ResponseBody()
        )
    }

    private func headObject(_ call: Call, _ key: ObjectKey) async throws -> Response {
        guard let info = try await store.head(key) else { throw S3Error.noSuchKey }
        if let refused = try refusal(call, info) { return refused }
        var answer = ObjectHeaders.answer(info, call.request)
        answer[.contentLength] = String(info.size)
        addChecksum(to: &answer, call, info)
        return Response(status: .ok, headers: answer)
    }

    private func refusal(_ call: Call, _ info: ObjectInfo) throws(S3Error) -> Response? {
        switch ReadConditions(reading: call.request.headers).check(info) {
        case .proceed: return nil
        case .failed: throw .preconditionFailed
        case .notModified:
            return Response(
                status: .notModified,
                headers: [.eTag: "\"\(info.etag)\"", .lastModified: S3Date.http(info.lastModified)]
            )
        }
    }

    private func addChecksum(to answer: inout HTTPFields, _ call: Call, _ info: ObjectInfo) {
        guard call.request.headers[.amzChecksumMode]?.uppercased() == "ENABLED",
            let checksum = ObjectHeaders.checksum(info.attributes)
        else { return }
        answer[checksum.algorithm.field] = checksum.value
        answer[.amzChecksumType] = "FULL_OBJECT"
    }

    private func stream(_ body: ObjectBody) -> ResponseBody {
        ResponseBody(contentLength: Int(exactly: body.size)) { writer in
            for try await chunk in body { try await writer.write(chunk) }
            try await writer.finish(nil)
        }
    }
}

import HTTPTypes
import Hummingbird
import ObjectStorage
import S3Protocol

extension BucketOperations {
    /// Performs GetObject and HeadObject. One store read returns metadata and bytes, so an object that is replaced
    /// concurrently is returned consistently.
    func getObject(_ call: Call, part: Int?, withBody: Bool) async throws -> Response {
        if let response = try implicitFolderResponse(call) { return response }
        let key = try call.key(for: .getObject)
        let headers = call.request.headers
        if let part { return try await getPart(call, key, part, withBody: withBody) }
        var range = headers[.range].flatMap(ByteRange.init(header:))
        guard withBody || range != nil else { return try await headObject(call, key) }
        guard var reading = try await store.read(key, range: range) else { throw S3Error.noSuchKey }
        if range != nil, let tag = headers[.ifRange], WriteConditions.unquoted(tag) != reading.info.etag.description {
            range = nil
            guard let object = try await store.read(key, range: nil) else { throw S3Error.noSuchKey }
            reading = object
        }
        if let refused = try failedConditionResponse(call, reading.info) { return refused }
        var fields = ObjectHeaders.responseFields(reading.info, call.request)
        fields[.contentLength] = String(reading.body.size)
        if range != nil {
            fields[.contentRange] = contentRange(reading.offsets, reading.info)
        } else {
            addChecksum(to: &fields, call, ContentChecksum(reading.info.attributes))
        }
        return Response(
            status: range == nil ? .ok : .partialContent, headers: fields,
            body: withBody ? stream(reading.body) : ResponseBody()
        )
    }

    private func headObject(_ call: Call, _ key: ObjectKey) async throws -> Response {
        guard let info = try await store.head(key) else { throw S3Error.noSuchKey }
        if let refused = try failedConditionResponse(call, info) { return refused }
        var fields = ObjectHeaders.responseFields(info, call.request)
        fields[.contentLength] = String(info.size)
        addChecksum(to: &fields, call, ContentChecksum(info.attributes))
        return Response(status: .ok, headers: fields)
    }

    /// Returns one part of an object as a range of it. A non-multipart object has one part.
    private func getPart(_ call: Call, _ key: ObjectKey, _ number: Int, withBody: Bool) async throws -> Response {
        guard call.request.headers[.range] == nil else {
            throw S3Error.invalidRequest("Cannot specify both Range header and partNumber query parameter")
        }
        // The layout is read before the bytes, and read again if the object was replaced in between.
        for _ in 0..<3 {
            guard let info = try await store.head(key) else { throw S3Error.noSuchKey }
            if let refused = try failedConditionResponse(call, info) { return refused }
            let layout = PartLayout(info)
            guard let offsets = (layout ?? PartLayout(sizes: [info.size])).offsets(of: number) else {
                throw S3Error.invalidPartNumber
            }
            var fields = partHeaders(call, info, layout, number, offsets)
            let status: HTTPResponse.Status = offsets.isEmpty ? .ok : .partialContent
            guard withBody, !offsets.isEmpty else {
                fields[.contentLength] = String(offsets.count)
                return Response(status: status, headers: fields)
            }
            let range = ByteRange.closed(first: offsets.lowerBound, last: offsets.upperBound - 1)
            guard let reading = try await store.read(key, range: range) else { throw S3Error.noSuchKey }
            guard reading.info.etag == info.etag else { continue }
            return Response(status: status, headers: fields, body: stream(reading.body))
        }
        throw S3Error.conflict
    }

    private func partHeaders(
        _ call: Call, _ info: ObjectInfo, _ layout: PartLayout?, _ number: Int, _ offsets: Range<Int64>
    ) -> HTTPFields {
        var fields = ObjectHeaders.responseFields(info, call.request)
        if !offsets.isEmpty { fields[.contentRange] = contentRange(offsets, info) }
        let checksum = ContentChecksum(info.attributes)
        if let layout {
            fields[.amzPartsCount] = String(layout.sizes.count)
            // The parts' checksums are not known for a full-object checksum.
            if let checksum, !layout.checksums.isEmpty {
                let part = ContentChecksum(checksum.algorithm, layout.checksums[number - 1], type: .composite)
                addChecksum(to: &fields, call, part)
            }
        } else {
            addChecksum(to: &fields, call, checksum)
        }
        return fields
    }

    private func contentRange(_ offsets: Range<Int64>, _ info: ObjectInfo) -> String {
        "bytes \(offsets.lowerBound)-\(offsets.upperBound - 1)/\(info.size)"
    }

    /// Returns the response if a read condition does not hold.
    func failedConditionResponse(_ call: Call, _ info: ObjectInfo) throws(S3Error) -> Response? {
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

    private func addChecksum(to fields: inout HTTPFields, _ call: Call, _ checksum: ContentChecksum?) {
        guard call.request.headers[.amzChecksumMode]?.uppercased() == "ENABLED" else { return }
        checksum?.set(in: &fields)
    }

    private func stream(_ body: ObjectBody) -> ResponseBody {
        ResponseBody(contentLength: Int(exactly: body.size)) { [downloads] writer in
            let start = ContinuousClock.now
            for try await chunk in body { try await writer.write(chunk) }
            try await writer.finish(nil)
            downloads.record(bytes: body.size, since: start)
        }
    }
}

import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import S3Protocol
import StorageAccess

@testable import StorageGateway

extension FuzzedParser {
    /// Heads of requests to the S3 endpoint: paths, queries, header fields and signatures.
    static func storageHead() throws -> [FuzzedParser] {
        let endpoint = try SignedStorage()
        let (header, query) = (try endpoint.inHeader(), try endpoint.inQuery())
        return [
            FuzzedParser(text: "S3 request", header + query + SignedStorage.unsigned, tokens: .http) { text in
                guard let request = SignedStorage.request(text) else { return false }
                return try readAll(of: request)
            },
            FuzzedParser(text: "signature in the header", header, tokens: .http) { text in
                try await endpoint.isAuthentic(text, as: header)
            },
            FuzzedParser(text: "signature in the query", query, tokens: .http) { text in
                try await endpoint.isAuthentic(text, as: query)
            },
            FuzzedParser(text: "Range", ["bytes=0-499", "bytes=-500", "bytes=9500-"], tokens: .http) { text in
                guard let range = ByteRange(header: text) else { return false }
                for size in [0, 1, 499, Int64.max] {
                    guard let offsets = ByteRange.resolve(range, size: size) else { continue }
                    try PropertyViolation.unless(
                        offsets.lowerBound >= 0 && offsets.upperBound <= size && !offsets.isEmpty, "a range lies inside"
                    )
                }
                return true
            },
            FuzzedParser(text: "continuation token", ["a2E", "cGEvYi8"], tokens: .http) { text in
                (try? ContinuationToken.decode(text)) != nil
            },
        ]
    }

    /// Reads everything that is read of a head before and after the signature check.
    private static func readAll(of request: GatewayRequest) throws -> Bool {
        let headers = request.headers
        _ = ReadConditions(reading: headers).check(
            ObjectInfo(etag: ETag("abc"), size: 3, lastModified: ForgedProvider.now, attributes: [:]))
        _ = try? ReadConditions(copying: headers)
        do {
            let operation = try S3Operation(request)
            _ = try? ConditionHeaders.check(request, operation)
            if case .uploadPart(_, let number) = operation {
                try PropertyViolation.unless((1...10_000).contains(number), "parts have numbers from 1 to 10,000")
            }
            for version in 1...2 {
                let list = try ListQuery(request, version: version)
                try PropertyViolation.unless((0...1000).contains(list.limit), "a page has at most 1,000 entries")
            }
            _ = try? WriteConditions.put(headers)
            _ = WriteConditions.delete(headers)
            _ = try? AttributesQuery(headers)
            _ = try? CompletionChecksum(UploadChecksum(headers), request)
            let uploads = try? UploadListQuery(request)
            try PropertyViolation.unless((0...1000).contains(uploads?.limit ?? 0), "a page has at most 1,000 uploads")
            let attributes = try ObjectHeaders.attributes(headers)
            let size = attributes.filter { $0.key.hasPrefix("x-amz-meta-") }.reduce(0) { $0 + $1.value.utf8.count }
            try PropertyViolation.unless(size <= 2048, "an object's own fields have at most 2 KiB")
            let info = ObjectInfo(etag: ETag("a"), size: 1, lastModified: ForgedProvider.now, attributes: attributes)
            _ = ObjectHeaders.responseFields(info, request)
            let payload = headers[.amzContentSHA256].flatMap(PayloadHash.init) ?? .unsigned
            if let body = try? DeclaredBody(request, payload: payload, limit: 5 << 40) {
                try PropertyViolation.unless((0...5 << 40).contains(body.size), "a length is within its limit")
            }
            return true
        } catch is S3Error {
            return false
        }
    }
}

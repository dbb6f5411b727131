import Foundation
import HTTPTypes
import NIOCore
import ObjectStorage

@testable import AWSServices

extension FuzzedParser {
    private static let listing = """
        <?xml version="1.0" encoding="UTF-8"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">\
        <IsTruncated>true</IsTruncated><EncodingType>url</EncodingType><Contents><Key>photos/a+b%2B.dat</Key>\
        <LastModified>2026-11-22T00:00:00.000Z</LastModified><ETag>&quot;abc&quot;</ETag><Size>17</Size></Contents>\
        <Contents><Key>k</Key><LastModified>2026-11-22T00:00:00Z</LastModified><ETag>x</ETag><Size>0</Size></Contents>\
        </ListBucketResult>
        """
    private static let failure =
        "<Error><Code>PreconditionFailed</Code><Message>No.</Message><Region>eu</Region></Error>"
    private static let role = """
        <AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult><Credentials>\
        <AccessKeyId>A</AccessKeyId><SecretAccessKey>s</SecretAccessKey><SessionToken>t</SessionToken>\
        <Expiration>2026-11-22T00:00:00Z</Expiration></Credentials></AssumeRoleResult></AssumeRoleResponse>
        """
    private static let keys = """
        {"Code":"Success","AccessKeyId":"A","SecretAccessKey":"s","Token":"t","Expiration":"2026-11-22T00:00:00Z"}
        """

    /// Responses of a store, a token service or a metadata service.
    static func answers() -> [FuzzedParser] {
        [
            FuzzedParser("S3 listing", [Array(listing.utf8)], tokens: .xml) { bytes in
                guard let listing = try? S3Listing(ByteBuffer(bytes: bytes)) else { return false }
                try PropertyViolation.unless(listing.objects.allSatisfy { $0.size >= 0 }, "no size is negative")
                return true
            },
            FuzzedParser("S3 failure", [Array(failure.utf8)], tokens: .xml) { bytes in
                S3Failure.afterSuccessStatus(ByteBuffer(bytes: bytes)).status == 412
            },
            FuzzedParser("token service", [Array(role.utf8)], tokens: .xml) { bytes in
                let buffer = ByteBuffer(bytes: bytes)
                try PropertyViolation.unless(TokenServiceResponse.code(buffer).count <= 64, "a code is short")
                _ = TokenServiceResponse.message(buffer)
                return (try? TokenServiceResponse.keys(buffer)) != nil
            },
            FuzzedParser("keys of a machine", [Array(keys.utf8)], tokens: .json) { bytes in
                (try? CredentialResponse(status: 200, bytes: ByteBuffer(bytes: bytes)).keys()) != nil
            },
            FuzzedParser(
                text: "S3 answer's head",
                ["bytes 0-9/100\n10\nSun, 06 Nov 1994 08:49:37 GMT\n\"abc\"", "bytes */100\n\n\nW/\"a\""],
                tokens: .http
            ) { text in
                let lines = text.split(separator: "\n", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
                guard lines.count == 4 else { return false }
                let headers: HTTPFields = [
                    .contentRange: lines[0], .contentLength: lines[1], .lastModified: lines[2], .eTag: lines[3],
                ]
                if let length = try? S3Headers.length(headers) {
                    try PropertyViolation.unless(length >= 0, "no length is negative")
                    _ = try? S3Headers.info(headers, size: length)
                }
                guard let range = S3Headers.contentRange(headers) else { return false }
                try PropertyViolation.unless(
                    range.range.map { $0.upperBound <= range.size } ?? true, "a range lies inside")
                return true
            },
        ]
    }
}

import Foundation
import HTTPTypes
import S3Protocol

/// The declarations of a request about its body, parsed before the body is read.
struct DeclaredBody: Sendable {
    /// The length of the content in bytes, without the framing of `aws-chunked`.
    let size: Int64
    let payload: PayloadHash
    /// The value of `Content-MD5`, 16 bytes.
    let md5: Data?
    let checksum: ContentChecksum?
    /// The checksum announced for the trailer.
    let trailer: ChecksumAlgorithm?

    /// The algorithm to compute, wherever its value is declared.
    var algorithm: ChecksumAlgorithm? { checksum?.algorithm ?? trailer }

    /// What a checksum in the header refers to.
    enum Subject: Sendable {
        case body
        /// CompleteMultipartUpload: the object assembled from the parts listed in the body.
        case object
    }

    init(
        _ request: GatewayRequest, payload: PayloadHash, limit: Int64, headChecksumOf subject: Subject = .body
    ) throws(S3Error) {
        let headers = request.headers
        self.payload = payload
        size = try Self.size(headers, payload, limit: limit)
        if let text = headers[.contentMD5] {
            guard let bytes = Data(base64Encoded: text), bytes.count == 16 else { throw .invalidDigest }
            md5 = bytes
        } else {
            md5 = nil
        }
        let declarations = subject == .body ? DeclaredChecksum.declarations(request) : []
        checksum = try DeclaredChecksum.inHead(declarations)
        trailer = try DeclaredChecksum.inTrailer(request, payload)
        if checksum != nil, trailer != nil { throw DeclaredChecksum.tooMany }
        try DeclaredChecksum.checkAlgorithmField(declarations, algorithm)
    }

    private static func size(_ headers: HTTPFields, _ payload: PayloadHash, limit: Int64) throws(S3Error) -> Int64 {
        guard let text = payload.isStreaming ? headers[.amzDecodedContentLength] : headers[.contentLength] else {
            throw .missingLength
        }
        guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }), let size = Int64(text)
        else { throw text.utf8.count > 18 ? .tooLarge : .invalidArgument("The content length is not a number.") }
        guard size <= limit else { throw .tooLarge }
        return size
    }
}

import Foundation
import HTTPTypes
import Testing

@testable import S3Protocol

/// The examples of the S3 documentation ("Authenticating Requests: Using the Authorization Header", "Signature
/// Calculations for the Authorization Header: Transferring Payload in Multiple Chunks", "Using Query Parameters").
struct S3SigningTests {
    private let signer = RequestSigner(
        credentials: AWSCredentials(
            accessKeyID: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
        ),
        region: "us-east-1", service: "s3", pathNormalization: .none
    )
    private let date = Date(timeIntervalSince1970: 1_369_353_600)

    @Test("a ranged GET has the documented signature")
    func ranged() {
        let request = SignableRequest(
            method: "GET", host: "examplebucket.s3.amazonaws.com", path: "/test.txt", headers: [.range: "bytes=0-9"]
        )
        let signed = signer.sign(request, payload: .empty, at: date)
        #expect(
            signed.headers[.authorization]?
                .hasSuffix("Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41") == true)
        #expect(signed.headers[.amzContentSHA256] == PayloadHash.empty.description)
    }

    @Test("a presigned GET has the documented signature")
    func presigned() {
        let request = SignableRequest(method: "GET", host: "examplebucket.s3.amazonaws.com", path: "/test.txt")
        let query = signer.presignedQuery(request, expires: 86_400, at: date)
        #expect(query.hasSuffix("X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404"))
    }

    @Test("chunks have the documented signatures and are accepted only in order")
    func chunks() throws {
        var headers: HTTPFields = [.contentEncoding: "aws-chunked", .contentLength: "66824"]
        headers[try #require(HTTPField.Name("x-amz-decoded-content-length"))] = "66560"
        headers[try #require(HTTPField.Name("x-amz-storage-class"))] = "REDUCED_REDUNDANCY"
        let request = SignableRequest(
            method: "PUT", host: "s3.amazonaws.com", path: "/examplebucket/chunkObject.txt", headers: headers
        )
        let signed = signer.sign(request, payload: .streamingSigned, at: date)
        #expect(
            signed.headers[.authorization]?
                .hasSuffix("Signature=4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9") == true)
        let bodies = [65_536, 1024, 0].map { Data(repeating: UInt8(ascii: "a"), count: $0) }
        let hashes = bodies.map { PayloadHash.of($0).description }
        var chain = signed.chunks
        let signatures = hashes.map { chain.sign(chunkHash: $0) }
        #expect(
            signatures == [
                "ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648",
                "0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497",
                "b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9",
            ])
        var checking = signed.chunks
        let early = checking.accept(signatures[1], chunkHash: hashes[1])
        #expect(!early)
        for (signature, hash) in zip(signatures, hashes) {
            let accepted = checking.accept(signature, chunkHash: hash)
            #expect(accepted)
        }
    }

    @Test("a valid trailer signature is accepted only after its chunks")
    func trailer() {
        let request = SignableRequest(method: "PUT", host: "h", path: "/b/k")
        var chain = signer.sign(request, payload: .streamingSignedTrailer, at: date).chunks
        var checking = chain
        let hash = PayloadHash.of(Data("x-amz-checksum-crc32c:sOO8/Q==\n".utf8)).description
        let last = chain.sign(chunkHash: PayloadHash.empty.description)
        let signature = chain.sign(trailerHash: hash)
        #expect(!checking.accept(signature, trailerHash: hash))
        let accepted = checking.accept(last, chunkHash: PayloadHash.empty.description)
        #expect(accepted)
        #expect(checking.accept(signature, trailerHash: hash))
        #expect(!checking.accept(signature, trailerHash: PayloadHash.empty.description))
    }

    @Test("different encodings of a path and a query have the same signature")
    func spellings() {
        let one = SignableRequest(method: "GET", host: "h", path: "/b/a%7eb%20c+d", query: "b=%7e&a")
        let other = SignableRequest(method: "GET", host: "h", path: "/b/a~b%20c%2Bd", query: "a=&b=~")
        #expect(
            signer.sign(one, payload: .empty, at: date).headers == signer.sign(other, payload: .empty, at: date).headers
        )
    }

    @Test("the descriptions of credentials contain no secrets")
    func redacted() {
        let credentials = AWSCredentials(accessKeyID: "AKID", secretAccessKey: "hush", sessionToken: "quiet")
        var dumped = ""
        dump(credentials, to: &dumped)
        for text in ["\(credentials)", "\(String(reflecting: credentials))", dumped] {
            #expect(text.contains("AKID") && !text.contains("hush") && !text.contains("quiet"))
        }
    }
}

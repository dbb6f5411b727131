import Testing

@testable import S3Protocol

struct ParsedAuthorizationTests {
    private static let signature = String(repeating: "ab", count: 32)
    private static let credential = "AKID/20150830/us-east-1/s3/aws4_request"
    private static let date = "20150830T123600Z"

    private func header(
        _ credential: String = Self.credential, _ names: String = "host;x-amz-date",
        _ signature: String = Self.signature, algorithm: String = "AWS4-HMAC-SHA256"
    ) -> String { "\(algorithm) Credential=\(credential), SignedHeaders=\(names), Signature=\(signature)" }

    @Test("a header with or without spaces after its commas is parsed")
    func reads() throws {
        let parsed = try ParsedAuthorization(header: header(), date: Self.date)
        #expect(parsed.accessKeyID == "AKID")
        #expect(parsed.scope == CredentialScope(day: "20150830", region: "us-east-1", service: "s3"))
        #expect(parsed.signedHeaders == ["host", "x-amz-date"])
        let tight = header().replacing(", ", with: ",")
        #expect(try ParsedAuthorization(header: tight, date: Self.date) == parsed)
    }

    @Test("another algorithm is rejected", arguments: ["AWS", "AWS4-ECDSA-P256-SHA256", "Bearer", ""])
    func algorithm(_ name: String) {
        #expect(throws: AuthorizationError.unsupportedAlgorithm) {
            try ParsedAuthorization(header: header(algorithm: name), date: Self.date)
        }
    }

    @Test(
        "a malformed credential is rejected",
        arguments: [
            "", "AKID", "AKID/20150830/us-east-1/s3", "AKID/20150830/us-east-1/s3/aws4", "/20150830/r/s3/aws4_request",
            "AKID/20150830//s3/aws4_request", "A/K/20150830/us-east-1/s3/aws4_request",
        ])
    func brokenCredential(_ text: String) {
        #expect(throws: AuthorizationError.malformed("Credential")) {
            try ParsedAuthorization(header: header(text), date: Self.date)
        }
    }

    @Test("a credential of another day than the request is rejected")
    func otherDay() {
        #expect(throws: AuthorizationError.malformed("Credential date")) {
            try ParsedAuthorization(header: header("AKID/20150831/us-east-1/s3/aws4_request"), date: Self.date)
        }
    }

    @Test(
        "unordered, duplicate, upper-case and incomplete signed headers are rejected",
        arguments: ["", "x-amz-date", "x-amz-date;host", "host;host", "Host", "host;", "host;a b", "host;a\nb"])
    func names(_ text: String) {
        #expect(throws: AuthorizationError.malformed("SignedHeaders")) {
            try ParsedAuthorization(header: header(Self.credential, text), date: Self.date)
        }
    }

    @Test("a signature that is not 64 lower-case hex digits is rejected", arguments: ["", "ab", Self.signature + "00"])
    func brokenSignature(_ text: String) {
        #expect(throws: AuthorizationError.malformed("Signature")) {
            try ParsedAuthorization(header: header(Self.credential, "host", text), date: Self.date)
        }
    }

    @Test("a duplicate part is rejected")
    func twice() {
        #expect(throws: AuthorizationError.malformed("Signature")) {
            try ParsedAuthorization(header: header() + ", Signature=\(Self.signature)", date: Self.date)
        }
    }

    @Test(
        "a presigned lifetime outside 1 second to 7 days is rejected",
        arguments: ["", "0", "-1", "604801", "9e3", "99999999999999999999"])
    func expiry(_ text: String) {
        #expect(throws: AuthorizationError.badExpiry) { try ParsedAuthorization(query: query(expires: text)) }
    }

    @Test("a presigned request is parsed, and rejected with a duplicate parameter")
    func presigned() throws {
        #expect(try ParsedAuthorization(query: query(expires: "60")).expires == 60)
        #expect(throws: AuthorizationError.malformed("X-Amz-Date")) {
            try ParsedAuthorization(query: query(expires: "60") + [("X-Amz-Date", Self.date)])
        }
    }

    private func query(expires: String) -> [(name: String, value: String)] {
        [
            ("X-Amz-Algorithm", "AWS4-HMAC-SHA256"), ("X-Amz-Credential", Self.credential), ("X-Amz-Date", Self.date),
            ("X-Amz-Expires", expires), ("X-Amz-SignedHeaders", "host"), ("X-Amz-Signature", Self.signature),
        ]
    }
}

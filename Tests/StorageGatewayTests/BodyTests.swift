import Foundation
import NIOCore
import S3Protocol
import Testing

@testable import StorageGateway

/// A body that does not match its declarations leaves nothing behind.
struct BodyTests {
    private let path = GatewayFixture.path("x.dat")
    private let key = "photos/\(GatewayFixture.ada)/x.dat"
    private static let crc32 = "NhCmhg=="  // The CRC-32 of "hello".

    @Test(
        "declared digests are verified",
        arguments: [
            ("content-md5", "XUFAKrxLKna5cZ2REBfFkg==", nil), ("content-md5", "XUFAKrxLKna5cZ2REBfFkQ==", "BadDigest"),
            ("content-md5", "short", "InvalidDigest"), ("x-amz-checksum-crc32", crc32, nil),
            ("x-amz-checksum-crc32", "NhCmhw==", "BadDigest"), ("x-amz-checksum-crc32", "!", "InvalidRequest"),
            ("x-amz-checksum-crc32c", "mnG7TA==", nil), ("x-amz-checksum-crc32c", crc32, "BadDigest"),
            ("x-amz-checksum-sha256", "LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=", nil),
            ("x-amz-checksum-crc64nvme", "AAAAAAAAAAA=", "BadDigest"), ("x-amz-decoded-content-length", "7", nil),
        ] as [(String, String, String?)])
    func digests(_ name: String, _ value: String, _ code: String?) async throws {
        let fixture = try GatewayFixture()
        let response = try await fixture.send(
            "PUT", path, headers: [name: value], body: [.init(string: "hel"), .init(string: "lo")])
        #expect(response.code == code && response.status == (code == nil ? 200 : 400))
        #expect(try await fixture.text(key) == (code == nil ? "hello" : nil))
        if code == nil, name.hasPrefix("x-amz-checksum-") {
            #expect(response.header(name) == value)
            #expect(
                try await fixture.send("GET", path, headers: ["x-amz-checksum-mode": "ENABLED"]).header(name) == value)
            #expect(try await fixture.send("GET", path).header(name) == nil)
        }
    }

    @Test(
        "a checksum that cannot be verified is rejected and not ignored",
        arguments: [
            ("x-amz-checksum-md5", "XUFAKrxLKna5cZ2REBfFkg==", 501, "NotImplemented"),
            ("x-amz-checksum-sha512", "x", 501, "NotImplemented"), ("x-amz-checksum-crc64", "x", 400, "InvalidRequest"),
            ("x-amz-checksum-", "x", 400, "InvalidRequest"),
            ("x-amz-checksum-algorithm", "CRC16", 400, "InvalidRequest"),
            ("x-amz-sdk-checksum-algorithm", "CRC32", 400, "InvalidRequest"),
            ("x-amz-sdk-checksum-algorithm", "MD5", 501, "NotImplemented"),
        ])
    func uncheckedChecksum(_ name: String, _ value: String, _ status: Int, _ code: String) async throws {
        let fixture = try GatewayFixture()
        let response = try await fixture.send("PUT", path, headers: [name: value], body: [.init(string: "hello")])
        #expect(response.status == status && response.code == code)
        #expect(try await fixture.text(key) == nil)
    }

    @Test("the announced checksum algorithm must match the declared checksum")
    func promisedAlgorithm() async throws {
        let fixture = try GatewayFixture()
        for (promise, status) in [("CRC32", 200), ("crc32", 200), ("SHA256", 400)] {
            let headers = ["x-amz-sdk-checksum-algorithm": promise, "x-amz-checksum-crc32": Self.crc32]
            let response = try await fixture.send("PUT", path, headers: headers, body: [.init(string: "hello")])
            #expect(response.status == status)
        }
    }

    @Test("a checksum in a link is verified like one in a header")
    func checksumInLink() async throws {
        let fixture = try GatewayFixture()
        let good = "x-amz-checksum-crc32=NhCmhg%3D%3D&x-amz-sdk-checksum-algorithm=CRC32"
        let bad = "x-amz-checksum-crc32=AAAAAA%3D%3D"
        #expect(try await fixture.sendPresigned("PUT", path, query: bad, body: "hello").code == "BadDigest")
        #expect(try await fixture.text(key) == nil)
        #expect(try await fixture.sendPresigned("PUT", path, query: good, body: "hello").status == 200)
    }

    @Test("the signed hash of the body is verified")
    func contentHash() async throws {
        let fixture = try GatewayFixture()
        let other = PayloadHash.of(Data("other".utf8))
        for body in ["hello", ""] {
            let response = try await fixture.send("PUT", path, body: [.init(string: body)], payload: other)
            #expect(response.status == 400 && response.code == "XAmzContentSHA256Mismatch")
        }
        #expect(try await fixture.text(key) == nil)
        #expect(try await fixture.send("PUT", path, body: [.init(string: "free")], payload: .unsigned).status == 200)
    }

    @Test("a body that differs from the declared length leaves nothing behind", arguments: ["3", "9", "0"])
    func length(_ length: String) async throws {
        let fixture = try GatewayFixture()
        let response = try await fixture.send(
            "PUT", path, headers: ["content-length": length], body: [.init(string: "hello")], payload: .unsigned)
        #expect(response.code == "IncompleteBody")
        #expect(try await fixture.text(key) == nil)
    }

    @Test(
        "missing, invalid and too large lengths are rejected",
        arguments: [
            ("-1", "InvalidArgument"), ("x", "InvalidArgument"), ("99999999999999999999", "EntityTooLarge"),
            ("67108865", "EntityTooLarge"),
        ])
    func absurdLength(_ length: String, _ code: String) async throws {
        let fixture = try GatewayFixture()
        #expect(try await fixture.send("PUT", path, headers: ["content-length": length], payload: .unsigned).code == code)
        let missing = try await fixture.send("PUT", path, body: [.init(string: "x")], payload: .streamingSigned)
        #expect(missing.status == 411 && missing.code == "MissingContentLength")
    }

    @Test("signed chunks are accepted, and a body with an invalid one is not stored")
    func signedChunks() async throws {
        let fixture = try GatewayFixture()
        let good = try await chunked(fixture, ["hel", "lo, ", "world"], payload: .streamingSigned)
        #expect(good.status == 200 && good.header("etag") == "\"e4d7f1b4ed2e42d15898f4b27b019da4\"")
        #expect(try await fixture.text(key) == "hello, world")
        let spoilings: [((String) -> String, String)] = [
            ({ $0.replacing("world", with: "earth") }, "SignatureDoesNotMatch"),
            ({ $0.replacing("chunk-signature=", with: "chunk-signature=0") }, "SignatureDoesNotMatch"),
            ({ $0.replacing(";chunk-signature=", with: ";x=") }, "SignatureDoesNotMatch"),
            ({ String($0.dropLast(100)) }, "IncompleteBody"), ({ $0 + "more" }, "IncompleteBody"),
            ({ $0.replacing("\r\n", with: "\n") }, "IncompleteBody"), ({ "g" + $0 }, "IncompleteBody"),
            ({ "fffffffffffffffff" + $0 }, "IncompleteBody"),
            ({ String(repeating: "0", count: 5000) + $0 }, "IncompleteBody"),
        ]
        for (index, (spoil, code)) in spoilings.enumerated() {
            try await fixture.store.delete(#require(.init(key)), if: .always)
            let response = try await chunked(fixture, ["hel", "lo, ", "world"], payload: .streamingSigned, spoil: spoil)
            #expect(response.code == code, "\(index)")
            #expect(try await fixture.text(key) == nil, "\(index)")
        }
    }

    @Test(
        "a checksum in a signed or unsigned trailer is verified",
        arguments: [PayloadHash.streamingSignedTrailer, .streamingUnsignedTrailer])
    func trailers(_ payload: PayloadHash) async throws {
        let fixture = try GatewayFixture()
        let good = try await chunked(fixture, ["hel", "lo"], payload: payload, trailer: Self.crc32)
        #expect(good.status == 200 && good.header("x-amz-checksum-crc32") == Self.crc32)
        #expect(try await fixture.text(key) == "hello")
        try await fixture.store.delete(#require(.init(key)), if: .always)
        let bad = try await chunked(fixture, ["hel", "lo"], payload: payload, trailer: "AAAAAA==")
        #expect(bad.code == "BadDigest")
        let none = try await chunked(fixture, ["hel", "lo"], payload: payload, trailer: Self.crc32) {
            $0.replacing("x-amz-checksum-crc32:", with: "x-amz-meta-other:")
        }
        let other = try await chunked(fixture, ["hel", "lo"], payload: payload, trailer: Self.crc32) {
            $0.replacing("x-amz-checksum-crc32:", with: "x-amz-checksum-sha1:x\r\nx-amz-checksum-crc32:")
        }
        #expect(other.code == (payload == .streamingSignedTrailer ? "SignatureDoesNotMatch" : "MalformedTrailerError"))
        #expect(none.code == (payload == .streamingSignedTrailer ? "SignatureDoesNotMatch" : "MalformedTrailerError"))
        #expect(try await fixture.text(key) == nil)
    }

    @Test("the decoded length must match the content", arguments: ["4", "6"])
    func decodedLength(_ length: String) async throws {
        let fixture = try GatewayFixture()
        let response = try await chunked(fixture, ["hel", "lo"], payload: .streamingUnsignedTrailer, length: length)
        #expect(response.code == "IncompleteBody")
        #expect(try await fixture.text(key) == nil)
    }

    private func chunked(
        _ fixture: GatewayFixture, _ content: [String], payload: PayloadHash, trailer: String? = nil,
        length: String? = nil,
        spoil: @escaping (String) -> String = { $0 }
    ) async throws -> CollectedResponse {
        var framing = ChunkedFraming(content: content, spoil: spoil)
        var headers = ["x-amz-decoded-content-length": length ?? String(content.joined().utf8.count)]
        if let trailer {
            framing.trailer = ("x-amz-checksum-crc32", trailer)
            headers["x-amz-trailer"] = "x-amz-checksum-crc32"
        }
        return try await fixture.send("PUT", path, headers: headers, payload: payload) {
            payload == .streamingUnsignedTrailer ? framing.unsigned() : framing.signed($0)
        }
    }
}

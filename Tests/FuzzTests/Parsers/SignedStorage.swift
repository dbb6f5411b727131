import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import PhotolalaAPI
import PhotolalaTesting
import S3Protocol
import Secrets
import StorageAccess

@testable import StorageGateway

/// The signature check of an S3 endpoint, and requests that it accepts, written as `METHOD target` and lines of fields.
struct SignedStorage: Sendable {
    static let unsigned = [
        "GET /photolala-dev?list-type=2&prefix=photos%2F&delimiter=%2F&max-keys=17&encoding-type=url\nhost: a",
        "PUT /photolala-dev/photos/a%20b.dat?partNumber=3&uploadId=abc\ncontent-length: 5\nif-none-match: *\n"
            + "content-md5: 1B2M2Y8AsgTpgAmY7PhCfg==\nx-amz-checksum-crc32: AAAAAA==\nx-amz-meta-a: b\n"
            + "content-type: image/jpeg",
        "PUT /photolala-dev/k\nx-amz-copy-source: /photolala-dev/photos/a%2Fb\nx-amz-copy-source-if-match: \"abc\"\n"
            + "content-encoding: aws-chunked,gzip\nx-amz-decoded-content-length: 66560\n"
            + "x-amz-trailer: x-amz-checksum-crc32c\n"
            + "x-amz-content-sha256: STREAMING-UNSIGNED-PAYLOAD-TRAILER",
        "GET /photolala-dev/k?response-content-type=text%2Fhtml&response-expires=x\nif-modified-since: "
            + "Sun, 06 Nov 1994 08:49:37 GMT\nif-none-match: W/\"abc\", \"d\"\nrange: bytes=0-9\nif-match: *",
        "POST /photolala-dev?delete\ncontent-length: 20\n", "DELETE /photolala-dev/k?uploadId=x\nif-match: \"abc\"",
        "GET /photolala-dev/k?attributes\nx-amz-object-attributes: ETag, Checksum\nx-amz-max-parts: 3",
        "POST /photolala-dev/k?uploadId=x\nx-amz-checksum-sha1: AAAAAAAAAAAAAAAAAAAAAAAAAAA=-2\n"
            + "x-amz-checksum-type: COMPOSITE\nx-amz-mp-object-size: 3",
        "GET /photolala-dev?uploads&prefix=photos%2F&key-marker=a&upload-id-marker=b&max-uploads=7&delimiter=%2F",
    ]

    let keyRing: KeyRing
    let settings = StorageGatewaySettings(bucket: "photolala-dev", region: "us-east-1")
    private let authenticator: RequestAuthenticator
    private let signer: RequestSigner

    init() throws {
        guard let key = MasterKey(id: "k", bytes: Data(repeating: 7, count: 32)) else { throw SecretsError.sealFailed }
        keyRing = KeyRing(current: key)
        let id = UUID(uuid: (1, 2, 3, 4, 5, 6, 0x47, 8, 0x89, 10, 11, 12, 13, 14, 15, 16))
        let session = SealedStorageSession(
            StorageGrant(
                user: UserID(uuid: id), device: DeviceID(uuid: id), session: SessionID(uuid: id), access: .readWrite,
                expiresAt: ForgedProvider.now.addingTimeInterval(3600)),
            randomness: .seeded(1))
        signer = RequestSigner(
            credentials: AWSCredentials(
                accessKeyID: session.accessKeyID, secretAccessKey: session.secretAccessKey,
                sessionToken: try session.token(keyRing: keyRing, randomness: .seeded(2))),
            region: "us-east-1", service: "s3", pathNormalization: .none)
        authenticator = RequestAuthenticator(
            settings: settings, opened: OpenedSessions(keyRing: keyRing), sessions: ActiveSessions(),
            now: { ForgedProvider.now })
    }

    struct ActiveSessions: StorageSessionCheck {
        func entitlement(of session: SealedStorageSession) async throws -> StorageEntitlement? {
            StorageEntitlement(access: .readWrite, storageLimit: 1 << 50)
        }
    }

    /// Returns requests with a signature in their header.
    func inHeader() throws -> [String] {
        try Self.unsigned.map { text in
            guard let request = Self.request(text) else { throw S3Error.invalidURI }
            let payload = request.headers[.amzContentSHA256].flatMap(PayloadHash.init) ?? .unsigned
            var signable = request.signable
            signable.headers[.amzContentSHA256] = nil
            let signed = signer.sign(signable, payload: payload, at: ForgedProvider.now)
            let lines = text.split(separator: "\n").filter {
                !$0.hasPrefix("x-amz-content-sha256") && !$0.hasPrefix("host:")
            }
            return (lines.map(String.init) + signed.headers.map { "\($0.name.canonicalName): \($0.value)" })
                .joined(separator: "\n")
        }
    }

    /// Returns requests with a signature in their query.
    func inQuery() throws -> [String] {
        try ["GET /photolala-dev/photos/a%20b.dat?x-id=GetObject", "PUT /photolala-dev/photos/%C3%A9"].map { text in
            guard let request = Self.request(text) else { throw S3Error.invalidURI }
            let query = signer.presignedQuery(request.signable, expires: 600, at: ForgedProvider.now)
            return "\(request.method.rawValue) \(request.rawPath)?\(query)"
        }
    }

    /// Returns whether the signature is valid; the request must then ask for the same as one of the signed requests.
    func isAuthentic(_ text: String, as signed: [String]) async throws -> Bool {
        guard let request = Self.request(text) else { return false }
        do {
            _ = try await authenticator.authenticate(request)
        } catch is S3Error {
            return false
        }
        let meaning = Self.meaning(request)
        try PropertyViolation.unless(
            signed.contains { Self.request($0).map(Self.meaning) == meaning }, "changed bytes have no valid signature")
        return true
    }

    /// Returns the meaning of a request: fields that are not S3's own and the order of the parameters do not count.
    private static func meaning(_ request: GatewayRequest) -> [String] {
        let fields = request.headers.filter { $0.name.canonicalName.hasPrefix("x-amz-") }.map { field in
            "\(field.name.canonicalName): \(field.value.split { $0 == " " || $0 == "\t" }.joined(separator: " "))"
        }
        return [request.method.rawValue, request.bucket, request.key] + fields.sorted()
            + request.query.map { "\($0.name)=\($0.value)" }.sorted()
    }

    /// Returns `nil` for a request that HTTP's own decoder would reject.
    static func request(_ text: String) -> GatewayRequest? {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
        guard let first = lines.popFirst()?.split(separator: " ", maxSplits: 1), first.count == 2,
            let method = HTTPRequest.Method(String(first[0]))
        else { return nil }
        var fields = HTTPFields()
        for line in lines {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, let name = HTTPField.Name(String(parts[0])) else { continue }
            fields.append(HTTPField(name: name, value: String(parts[1].drop { $0 == " " })))
        }
        let head = HTTPRequest(
            method: method, scheme: "http", authority: "127.0.0.1:9000", path: String(first[1]), headerFields: fields)
        return try? GatewayRequest(Request(head: head, body: RequestBody(buffer: ByteBuffer())))
    }
}

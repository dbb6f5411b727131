import Foundation
import NIOCore
import S3Protocol

/// Parses the responses of a token service, which are small enough to be read at once.
enum TokenServiceResponse {
    /// Returns the credentials of a successful call.
    static func keys(_ bytes: ByteBuffer) throws(CredentialError) -> ExpiringCredentials {
        guard let response = try? XMLReader.read(bytes.readableBytesView),
            let keys = response.children.first(where: { results.contains($0.name) })?.child("Credentials"),
            let expiresAt = keys.value("Expiration").flatMap(S3Date.xml),
            let accessKeyID = plain("AccessKeyId", in: keys), let secretAccessKey = plain("SecretAccessKey", in: keys),
            let sessionToken = plain("SessionToken", in: keys)
        else { throw .unavailable("response without keys") }
        return ExpiringCredentials(
            AWSCredentials(accessKeyID: accessKeyID, secretAccessKey: secretAccessKey, sessionToken: sessionToken),
            expiresAt: expiresAt
        )
    }

    /// Returns the code of a failed call; empty if the response has none. It is inside `Error`, or at S3's position.
    static func code(_ bytes: ByteBuffer) -> String { String((failure(bytes)?.value("Code") ?? "").prefix(64)) }

    /// Returns the error message. It can contain parts of the request, including its session token: never log it.
    static func message(_ bytes: ByteBuffer) -> String { failure(bytes)?.value("Message") ?? "" }

    private static let results: Set = ["AssumeRoleResult", "AssumeRoleWithWebIdentityResult"]

    private static func failure(_ bytes: ByteBuffer) -> PlainElement? {
        guard let response = try? XMLReader.read(bytes.readableBytesView) else { return nil }
        return response.child("Error") ?? response
    }

    /// Returns the value if it is valid in a header: not empty, and printable ASCII without spaces.
    private static func plain(_ name: String, in keys: PlainElement) -> String? {
        guard let text = keys.value(name), !text.isEmpty,
            text.utf8.allSatisfy({ (UInt8(ascii: "!")...UInt8(ascii: "~")).contains($0) })
        else { return nil }
        return text
    }
}

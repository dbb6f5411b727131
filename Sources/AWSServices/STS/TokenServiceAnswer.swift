import Foundation
import NIOCore
import PlainXML
import SigV4

/// Reads what a token service answers. The bytes are few enough to be read whole.
enum TokenServiceAnswer {
    /// The keys of a call that succeeded.
    static func keys(_ bytes: ByteBuffer) throws(CredentialError) -> ExpiringCredentials {
        guard let answer = try? XMLReader.read(bytes.readableBytesView),
            let keys = answer.children.first(where: { results.contains($0.name) })?.child("Credentials"),
            let expiresAt = keys.value("Expiration").flatMap(S3Date.xml),
            let accessKeyID = plain("AccessKeyId", in: keys), let secretAccessKey = plain("SecretAccessKey", in: keys),
            let sessionToken = plain("SessionToken", in: keys)
        else { throw .unavailable("an answer without keys") }
        return ExpiringCredentials(
            AWSCredentials(accessKeyID: accessKeyID, secretAccessKey: secretAccessKey, sessionToken: sessionToken),
            expiresAt: expiresAt
        )
    }

    /// The code of a call that failed; empty when the answer has none. It stands within `Error`, or where S3 has it.
    static func code(_ bytes: ByteBuffer) -> String { String((failure(bytes)?.value("Code") ?? "").prefix(64)) }

    /// The words beside the code. They can quote the request, its session token included: never to be logged.
    static func message(_ bytes: ByteBuffer) -> String { failure(bytes)?.value("Message") ?? "" }

    private static let results: Set = ["AssumeRoleResult", "AssumeRoleWithWebIdentityResult"]

    private static func failure(_ bytes: ByteBuffer) -> PlainElement? {
        guard let answer = try? XMLReader.read(bytes.readableBytesView) else { return nil }
        return answer.child("Error") ?? answer
    }

    /// Header values are made of them: not empty, and printable ASCII without spaces alone.
    private static func plain(_ name: String, in keys: PlainElement) -> String? {
        guard let text = keys.value(name), !text.isEmpty,
            text.utf8.allSatisfy({ (UInt8(ascii: "!")...UInt8(ascii: "~")).contains($0) })
        else { return nil }
        return text
    }
}

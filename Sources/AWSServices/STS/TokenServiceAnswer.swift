import Foundation
import NIOCore
import SigV4
import XMLCoder

/// Reads what a token service answers. The bytes are few enough to be read whole; a document type, with which XML can
/// name files or grow without end, is never part of an answer.
enum TokenServiceAnswer {
    /// The keys of a call that succeeded.
    static func keys(_ bytes: ByteBuffer) throws(CredentialError) -> ExpiringCredentials {
        guard let keys = decode(Success.self, bytes)?.keys, let expiresAt = S3Date.xml(keys.Expiration),
            [keys.AccessKeyId, keys.SecretAccessKey, keys.SessionToken].allSatisfy(isPlain)
        else { throw .unavailable("an answer without keys") }
        return ExpiringCredentials(
            AWSCredentials(
                accessKeyID: keys.AccessKeyId, secretAccessKey: keys.SecretAccessKey, sessionToken: keys.SessionToken
            ),
            expiresAt: expiresAt
        )
    }

    /// The code of a call that failed; empty when the answer has none. It stands within `Error`, or where S3 has it.
    static func code(_ bytes: ByteBuffer) -> String { String((failure(bytes)?.Code ?? "").prefix(64)) }

    /// The words beside the code. They can quote the request, its session token included: never to be logged.
    static func message(_ bytes: ByteBuffer) -> String { failure(bytes)?.Message ?? "" }

    private static func failure(_ bytes: ByteBuffer) -> Failure? {
        decode(Envelope.self, bytes)?.Error ?? decode(Failure.self, bytes)
    }

    private static func decode<Document: Decodable>(_ type: Document.Type, _ bytes: ByteBuffer) -> Document? {
        let data = Data(bytes.readableBytesView)
        guard !data.isEmpty, data.firstRange(of: Data("<!".utf8)) == nil else { return nil }
        return try? XMLDecoder().decode(type, from: data)
    }

    /// Header values are made of them: not empty, and printable ASCII without spaces alone.
    private static func isPlain(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (UInt8(ascii: "!")...UInt8(ascii: "~")).contains($0) }
    }

    private struct Success: Decodable {
        struct Result: Decodable { let Credentials: Keys }
        struct Keys: Decodable {
            let AccessKeyId: String
            let SecretAccessKey: String
            let SessionToken: String
            let Expiration: String
        }
        let AssumeRoleResult: Result?
        let AssumeRoleWithWebIdentityResult: Result?
        var keys: Keys? { (AssumeRoleResult ?? AssumeRoleWithWebIdentityResult)?.Credentials }
    }

    private struct Envelope: Decodable { let Error: Failure }
    private struct Failure: Decodable {
        let Code: String
        let Message: String?
    }
}

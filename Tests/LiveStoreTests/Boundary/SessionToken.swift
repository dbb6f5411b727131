import Crypto
import Foundation
import S3Protocol
import Secrets
import Testing

/// A session token in SeaweedFS's format (a JWT with HS256) that can be changed and signed again.
struct SessionToken {
    private let credentials: AWSCredentials
    private var claims: [String: Any]

    init(_ credentials: AWSCredentials, endingAt end: Date? = nil) throws {
        self.credentials = credentials
        let parts = try #require(credentials.sessionToken).split(separator: ".")
        let payload = try #require(parts.count == 3 ? Base64URL.decode(String(parts[1])) : nil)
        claims = try #require(try JSONSerialization.jsonObject(with: payload) as? [String: Any])
        if let end { claims["exp"] = Int(end.timeIntervalSince1970) }
    }

    /// The name of the session.
    var name: String? { claims["snam"] as? String }

    func signed(with key: Data) throws -> AWSCredentials {
        let header = Base64URL.encode(Data(#"{"alg":"HS256","typ":"JWT"}"#.utf8))
        let text = "\(header).\(Base64URL.encode(try JSONSerialization.data(withJSONObject: claims)))"
        let code = HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: SymmetricKey(data: key))
        return AWSCredentials(
            accessKeyID: credentials.accessKeyID, secretAccessKey: credentials.secretAccessKey,
            sessionToken: "\(text).\(Base64URL.encode(Data(code)))"
        )
    }
}

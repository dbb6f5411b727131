import Foundation
import Secrets

/// The MD5 that a writer declares for an object's bytes, as the attribute `content-md5` in base64 (RFC 1864). It is
/// not stored with the object.
package struct DeclaredMD5: Sendable {
    package static let attributeName = "content-md5"

    private let digest: Data?

    /// Reads the declared digest; `nil` if there is none. A malformed value matches no bytes.
    package init?(_ attributes: ObjectAttributes) {
        guard let text = attributes[Self.attributeName] else { return nil }
        digest = Data(base64Encoded: text)
    }

    /// Compares the declared digest with that of the bytes.
    /// - Parameter md5: 32 lower-case hex digits.
    /// - Throws: `digestMismatch` if they differ.
    package func verify(_ md5: String) throws(ObjectStoreError) {
        guard let digest, Hex.encode(digest) == md5 else { throw .digestMismatch }
    }
}

extension ObjectAttributes {
    /// The attributes to store, without the declared digest.
    package var withoutDeclaredDigest: ObjectAttributes {
        guard self[DeclaredMD5.attributeName] != nil else { return self }
        return filter { $0.key != DeclaredMD5.attributeName }
    }
}

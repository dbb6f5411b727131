import Foundation
import Secrets

/// What a writer promises of an object's bytes: their MD5, as the attribute `content-md5` in base64 (RFC 1864). It is
/// not kept with the object.
package struct PromisedMD5: Sendable {
    package static let attribute = "content-md5"

    private let digest: Data?

    /// `nil` where nothing is promised. A promise that is no MD5 is one that no bytes keep.
    package init?(_ attributes: ObjectAttributes) {
        guard let text = attributes[Self.attribute] else { return nil }
        digest = Data(base64Encoded: text)
    }

    /// Compares with what the bytes have been found to be.
    /// - Parameter md5: 32 lower-case hex digits.
    package func check(_ md5: String) throws(ObjectStoreError) {
        guard let digest, Hex.encode(digest) == md5 else { throw .digestMismatch }
    }
}

extension ObjectAttributes {
    /// Without what is promised of the bytes.
    package var kept: ObjectAttributes {
        guard self[PromisedMD5.attribute] != nil else { return self }
        return filter { $0.key != PromisedMD5.attribute }
    }
}

import Crypto
import CryptoExtras
import Foundation
import Secrets

/// The password of a shared link, as scrypt (RFC 7914) of its bytes in NFC: keyboards differ in
/// the form that they type. A person who reads the store can read the photos as
/// well; the hash protects a password that is also used elsewhere.
package struct SharedLinkPassword: Codable, Sendable, Equatable {
    /// The permitted lengths, in bytes.
    package static let lengths = 8...128

    private let salt: Data
    private let hash: Data

    /// Hashes a password. Takes about 50 ms and 16 MiB.
    /// - Throws: The error of the hash function.
    package init(_ password: String, randomness: Randomness) throws {
        salt = Data(randomness.bytes(16))
        hash = try Self.hash(password, salt)
    }

    /// Returns whether this is the password. Takes as long as hashing one.
    package func matches(_ password: String) throws -> Bool {
        guard Self.lengths.contains(password.utf8.count) else { return false }
        return ConstantTime.isEqual(hash, try Self.hash(password, salt))
    }

    /// Identifies this password among all that a link has had.
    package var tag: Data { salt }

    private static func hash(_ password: String, _ salt: Data) throws -> Data {
        try KDF.Scrypt.deriveKey(
            from: Data(password.precomposedStringWithCanonicalMapping.utf8), salt: salt, outputByteCount: 32,
            rounds: 1 << 14, blockSize: 8, parallelism: 1
        ).withUnsafeBytes { Data($0) }
    }
}

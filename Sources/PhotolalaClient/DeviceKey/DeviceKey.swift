import Crypto
import Foundation
import Secrets

/// The P-256 key that a session's tokens are bound to: without it the tokens are unusable. The key is created for one
/// session and stored with it, in the Secure Enclave if available, which never exports it.
struct DeviceKey: Sendable, Equatable, Codable {
    private enum Form: Sendable {
        case software(P256.Signing.PrivateKey)
        #if canImport(CryptoKit)
            case enclave(SecureEnclaveKey)
        #endif
    }

    private enum Mark {
        static let software: UInt8 = 0
        static let enclave: UInt8 = 1
    }

    private let form: Form
    let publicKey: P256.Signing.PublicKey

    /// Creates a new key.
    init() {
        #if canImport(CryptoKit)
            if let key = SecureEnclaveKey() {
                (form, publicKey) = (.enclave(key), key.publicKey)
                return
            }
        #endif
        let key = P256.Signing.PrivateKey()
        (form, publicKey) = (.software(key), key.publicKey)
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let stored = Base64URL.decode(try container.decode(String.self)) ?? Data()
        switch stored.first {
        case Mark.software:
            let key = try P256.Signing.PrivateKey(rawRepresentation: stored.dropFirst())
            (form, publicKey) = (.software(key), key.publicKey)
        #if canImport(CryptoKit)
            case Mark.enclave:
                let key = try SecureEnclaveKey(representation: stored.dropFirst())
                (form, publicKey) = (.enclave(key), key.publicKey)
        #endif
        default: throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a key of this device")
        }
    }

    func encode(to encoder: any Encoder) throws {
        let stored =
            switch form {
            case .software(let key): Data([Mark.software]) + key.rawRepresentation
            #if canImport(CryptoKit)
                case .enclave(let key): Data([Mark.enclave]) + key.representation
            #endif
            }
        var container = encoder.singleValueContainer()
        try container.encode(Base64URL.encode(stored))
    }

    /// Whether the key cannot be exported from the device's hardware.
    var isInHardware: Bool {
        #if canImport(CryptoKit)
            if case .enclave = form { return true }
        #endif
        return false
    }

    /// Returns a signature in the JWS format (RFC 7518 section 3.4).
    func signature(of message: Data) throws -> Data {
        switch form {
        case .software(let key): try key.signature(for: message).rawRepresentation
        #if canImport(CryptoKit)
            case .enclave(let key): try key.signature(of: message)
        #endif
        }
    }

    static func == (left: DeviceKey, right: DeviceKey) -> Bool {
        left.publicKey.rawRepresentation == right.publicKey.rawRepresentation
    }
}

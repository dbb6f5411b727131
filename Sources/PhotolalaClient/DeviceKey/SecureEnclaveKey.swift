#if canImport(CryptoKit)
    import CryptoKit
    import Foundation
    import Security

    /// A key that was created in the Secure Enclave and is usable only there, after the first unlock, on this device.
    ///
    /// The project's tests run on Linux, where this file is compiled with `scripts/check-apple` but has never run.
    struct SecureEnclaveKey: Sendable {
        private let key: SecureEnclave.P256.Signing.PrivateKey

        /// Creates a key, or returns `nil` if there is no Secure Enclave or it cannot create a key.
        init?() {
            guard SecureEnclave.isAvailable,
                let control = SecAccessControlCreateWithFlags(
                    nil, kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly, .privateKeyUsage, nil
                ),
                let key = try? SecureEnclave.P256.Signing.PrivateKey(accessControl: control)
            else { return nil }
            self.key = key
        }

        /// Restores a key.
        /// - Parameter representation: The value of ``representation``, from the same device.
        init(representation: Data) throws {
            key = try SecureEnclave.P256.Signing.PrivateKey(dataRepresentation: representation)
        }

        /// The key in a form that only this device's Secure Enclave can use.
        var representation: Data { key.dataRepresentation }

        var publicKey: P256.Signing.PublicKey { key.publicKey }

        func signature(of message: Data) throws -> Data { try key.signature(for: message).rawRepresentation }
    }
#endif

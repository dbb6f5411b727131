#if canImport(CryptoKit)
    import CryptoKit
    import Foundation
    import Security

    /// A key that the Secure Enclave made and alone can use, after the first unlock, on this device only.
    ///
    /// The project's tests run on Linux, where there is none: this file is compiled on Apple platforms only and no test
    /// here has run it.
    struct SecureEnclaveKey: Sendable {
        private let key: SecureEnclave.P256.Signing.PrivateKey

        /// Gives `nil` where there is no Secure Enclave, or it makes no key.
        init?() {
            guard SecureEnclave.isAvailable,
                let control = SecAccessControlCreateWithFlags(
                    nil, kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly, .privateKeyUsage, nil
                ),
                let key = try? SecureEnclave.P256.Signing.PrivateKey(accessControl: control)
            else { return nil }
            self.key = key
        }

        /// - Parameter kept: what `kept` gave on this device.
        init(kept: Data) throws { key = try SecureEnclave.P256.Signing.PrivateKey(dataRepresentation: kept) }

        /// The key in a form that only this device's Secure Enclave can use.
        var kept: Data { key.dataRepresentation }

        var publicKey: P256.Signing.PublicKey { key.publicKey }

        func signature(of message: Data) throws -> Data { try key.signature(for: message).rawRepresentation }
    }
#endif

#if canImport(Security)
    import Foundation
    import Security

    /// Keeps secrets in the Keychain of Apple platforms, readable after the first unlock, on this device only.
    ///
    /// The project's tests run on Linux, where there is no Keychain: this file is compiled on Apple platforms only and
    /// no test here has run it.
    public struct KeychainSecretStorage: SecretStorage {
        private let service: String
        private let accessGroup: String?

        /// Opens the Keychain.
        /// - Parameter service: the name under which the items stand, for example the app's bundle id.
        /// - Parameter accessGroup: shares the items between an app and its extensions.
        public init(service: String, accessGroup: String? = nil) {
            self.service = service
            self.accessGroup = accessGroup
        }

        /// The secret, or `nil` when there is none.
        public func load(_ name: String) throws(SecretStorageError) -> Data? {
            var query = query(name)
            query[kSecReturnData] = true
            query[kSecMatchLimit] = kSecMatchLimitOne
            var item: CFTypeRef?
            let status = SecItemCopyMatching(query as CFDictionary, &item)
            switch status {
            case errSecSuccess: return item as? Data
            case errSecItemNotFound: return nil
            default: throw failure(status, "read")
            }
        }

        /// Keeps a secret in place of what was there.
        public func save(_ secret: Data, as name: String) throws(SecretStorageError) {
            let status = SecItemUpdate(query(name) as CFDictionary, [kSecValueData: secret] as CFDictionary)
            guard status == errSecItemNotFound else {
                guard status == errSecSuccess else { throw failure(status, "write") }
                return
            }
            var item = query(name)
            item[kSecValueData] = secret
            item[kSecAttrAccessible] = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
            let added = SecItemAdd(item as CFDictionary, nil)
            guard added == errSecSuccess else { throw failure(added, "write") }
        }

        /// Forgets a secret.
        public func delete(_ name: String) throws(SecretStorageError) {
            let status = SecItemDelete(query(name) as CFDictionary)
            guard status == errSecSuccess || status == errSecItemNotFound else { throw failure(status, "delete") }
        }

        private func query(_ name: String) -> [CFString: Any] {
            var query: [CFString: Any] = [
                kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: name,
                kSecUseDataProtectionKeychain: true,
            ]
            if let accessGroup { query[kSecAttrAccessGroup] = accessGroup }
            return query
        }

        private func failure(_ status: OSStatus, _ act: String) -> SecretStorageError {
            let reason = SecCopyErrorMessageString(status, nil).map { $0 as String } ?? "status \(status)"
            return SecretStorageError(detail: "The Keychain did not \(act) the secret: \(reason).")
        }
    }
#endif
